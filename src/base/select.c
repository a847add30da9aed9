/* SPDX-License-Identifier: MIT
 *
 * Method     Quickselect: parted by an element that a hash of the bounds chooses, so that no order of the
 *            input is slow but by chance.  Equal elements are parted evenly.
 * Reference  C. A. R. Hoare, Algorithm 65: Find, Communications of the ACM 4 (1961). */
#include "base/select.h"

#include "base/hash.h"

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

double weft__select(double *x, int64_t count, int64_t place)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        uint64_t span = (uint64_t)(high - low) + 1;
        double pivot = x[low + (int64_t)(weft__hash((uint64_t)low ^ span << 32) % span)];
        int64_t left = low, right = high;
        while (left <= right) {
            while (x[left] < pivot)
                left++;
            while (x[right] > pivot)
                right--;
            if (left <= right)
                swap(&x[left++], &x[right--]);
        }
        /* x[low..right] <= pivot <= x[left..high], and what is between is the pivot. */
        if (place <= right)
            high = right;
        else if (place >= left)
            low = left;
        else
            return pivot;
    }
    return x[low];
}
