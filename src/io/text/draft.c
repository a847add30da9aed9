/* SPDX-License-Identifier: MIT
 *
 * A draft has no name while it is written (O_TMPFILE), so that a program that dies, of whatever signal,
 * leaves nothing.  When it is whole and on the disk it is linked under a temporary name beside the file and
 * renamed at once.  A file system that has no files without a name (NFS, FUSE, FAT) gets the temporary name
 * from the beginning.
 *
 * The temporary name is .NAME.weft-XXXXXX, and a lock is held on it as long as somebody writes.  One that
 * nobody holds was left by a program that was killed: the next draft of the same file removes it.  A draft
 * that loses its name between its creation and its lock is made anew.
 *
 * The draft is for its owner alone until it is whole; then it gets the mode, the owner, the group and the
 * access list of the file that it replaces.  Where the group or the list cannot be kept, the group may do no
 * more than everybody may. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "io/text/draft.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { LETTERS = 6, TRIES = 100, LONGEST_NAME = 200 };

static const char mark[] = ".weft-";
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

struct weft__draft {
    weft_memory memory;
    weft__draft_options options;
    char *path;
    char *folder;    /* of the path, "." where it names none */
    char *temporary; /* folder, /, ., NAME, mark, letters */
    int descriptor;
    bool named; /* the temporary name is taken */
};

static weft_status fail_to_write(const weft__draft *draft, const char *what, weft_error *error)
{
    return weft__fail(error, WEFT_WRITE, "%s: cannot be written: %s%s", draft->path, what, strerror(errno));
}

/* ---- Names ---- */

/* A name that stands for a descriptor, whatever it leads to. */
static bool names_descriptor(const char *path)
{
    static const char *const places[] = {"/dev/fd/", "/dev/std", "/proc/"};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (strncmp(path, places[k], strlen(places[k])) == 0)
            return true;
    return false;
}

/* A file that something is mounted on, or that is marked as immutable or for appending only: nothing can take
 * its name.  Of a symbolic link the link counts, for that is what would be replaced. */
static bool is_irreplaceable(const char *path)
{
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx facts = {0};
    uint64_t held = STATX_ATTR_MOUNT_ROOT | STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;
    return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MODE, &facts) == 0 &&
           (facts.stx_attributes & held) != 0;
#else
    (void)path;
    return false;
#endif
}

bool weft__draft_possible(const char *path)
{
    struct stat facts = {0};
    return !names_descriptor(path) && (stat(path, &facts) != 0 || S_ISREG(facts.st_mode)) &&
           !is_irreplaceable(path);
}

static weft_status refuse_special(const char *path, weft_error *error)
{
    struct stat facts = {0};
    if (weft__draft_possible(path))
        return WEFT_OK;
    bool known = stat(path, &facts) == 0;
    const char *found = known && S_ISDIR(facts.st_mode) ? "a directory" : "a device or a pipe";
    if (known && S_ISREG(facts.st_mode) && !names_descriptor(path))
        found = "a file that cannot be replaced (a mount point, or immutable)";
    return weft__fail(error, WEFT_WRITE,
                      "%s: cannot be written: found %s, expected a regular file or a new name", path, found);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static weft_status make_names(weft__draft *draft, const char *path, weft_error *error)
{
    const char *name = last_part(path);
    size_t length = strlen(path), before = (size_t)(name - path), kept = strlen(name);
    weft_status status = WEFT_OK;
    kept = kept < LONGEST_NAME ? kept : LONGEST_NAME;
    TRY(weft__new(&draft->memory, (int64_t)length + 1, 1, &draft->path, error));
    memcpy(draft->path, path, length + 1);
    TRY(weft__new(&draft->memory, (int64_t)before + 2, 1, &draft->folder, error));
    snprintf(draft->folder, before + 2, "%.*s", before > 0 ? (int)before : 1, before > 0 ? path : ".");
    size_t room = before + kept + sizeof mark + LETTERS + 4;
    TRY(weft__new(&draft->memory, (int64_t)room, 1, &draft->temporary, error));
    snprintf(draft->temporary, room, "%s/.%.*s%sXXXXXX", draft->folder, (int)kept, name, mark);
done:
    return status;
}

/* Other letters at the end of the temporary name; they need not be secret, for a name that is taken is
 * never used. */
static void draw_letters(weft__draft *draft)
{
    struct timespec now = {0};
    char *letters = draft->temporary + strlen(draft->temporary) - LETTERS;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t state = (uint64_t)now.tv_nsec * 1000003 + (uint64_t)now.tv_sec * 7919 + (uint64_t)getpid();
    for (int k = 0; k < LETTERS; k++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        letters[k] = alphabet[(state >> 33) % (sizeof alphabet - 1)];
    }
}

/* ---- What killed programs left ---- */

/* Whether `name` is the temporary name of this draft but for its letters. */
static bool is_alike(const weft__draft *draft, const char *name)
{
    const char *own = last_part(draft->temporary);
    size_t length = strlen(own);
    return strlen(name) == length && strncmp(name, own, length - LETTERS) == 0 &&
           strspn(name + length - LETTERS, alphabet) == LETTERS;
}

/* Only a file of this user that nobody holds a lock on. */
static void remove_left(const weft__draft *draft, int folder, const char *name)
{
    struct stat facts = {0};
    int descriptor =
        is_alike(draft, name) ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(descriptor);
}

static void sweep(const weft__draft *draft)
{
    DIR *folder = opendir(draft->folder);
    const struct dirent *entry = NULL;
    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        remove_left(draft, dirfd(folder), entry->d_name);
    closedir(folder);
}

/* ---- Opening ---- */

/* A file without a name, which can be given one through /proc. */
static bool open_nameless(weft__draft *draft)
{
    char link[64];
    int descriptor = open(draft->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (access(link, F_OK) != 0) {
        close(descriptor);
        return false;
    }
    draft->descriptor = descriptor;
    return true;
}

/* Holds the lock, and still has its name. */
static bool is_held(int descriptor)
{
    struct stat facts = {0};
    bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    return locked && fstat(descriptor, &facts) == 0 && facts.st_nlink > 0;
}

static weft_status open_named(weft__draft *draft, weft_error *error)
{
    for (int k = 0; k < TRIES; k++) {
        draw_letters(draft);
        int descriptor = open(draft->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor < 0 && errno != EEXIST)
            break;
        if (descriptor >= 0 && is_held(descriptor)) {
            draft->descriptor = descriptor;
            draft->named = true;
            return WEFT_OK;
        }
        if (descriptor >= 0)
            close(descriptor);
    }
    return fail_to_write(draft, "", error);
}

weft_status weft__draft_create(const char *path, const weft__draft_options *options,
                               const weft_memory *memory, weft__draft **draft, weft_error *error)
{
    static const weft__draft_options defaults = {0};
    weft_memory own = weft__memory_or_default(memory);
    const weft__draft_options *how = options != NULL ? options : &defaults;
    weft__draft *made = NULL;
    weft_status status = WEFT_OK;
    TRY(refuse_special(path, error));
    TRY(weft__new(&own, 1, sizeof *made, &made, error));
    *made = (weft__draft){.memory = own, .options = *how, .descriptor = -1};
    TRY(make_names(made, path, error));
    if (*last_part(path) == 0)
        TRY(weft__fail(error, WEFT_WRITE, "%s: found no name, expected that of a file", path));
    sweep(made);
    if (how->named || !open_nameless(made))
        TRY(open_named(made, error));
    *draft = made;
    made = NULL;
done:
    weft__draft_free(made);
    return status;
}

int weft__draft_descriptor(const weft__draft *draft)
{
    return draft->descriptor;
}

void weft__draft_free(weft__draft *draft)
{
    if (draft == NULL)
        return;
    weft_memory memory = draft->memory;
    if (draft->named)
        unlink(draft->temporary);
    if (draft->descriptor >= 0)
        close(draft->descriptor);
    weft__delete(&memory, draft->path);
    weft__delete(&memory, draft->folder);
    weft__delete(&memory, draft->temporary);
    weft__delete(&memory, draft);
}

/* ---- Publishing ---- */

static mode_t new_mode(const weft__draft *draft)
{
    mode_t mask = umask(0);
    umask(mask);
    return (draft->options.owner_only ? 0600 : 0666) & ~mask;
}

/* The group may do no more than everybody may. */
static mode_t without_group(mode_t mode)
{
    return mode & ~(mode_t)(070 & ~((mode & 07) << 3));
}

/* The access list of the old file, which has its mode in it.  False where there is none; where it cannot
 * be kept, *mode is made smaller. */
static bool keep_list(const weft__draft *draft, mode_t *mode)
{
    static const char list[] = "system.posix_acl_access";
    unsigned char bytes[4096];
    ssize_t size = getxattr(draft->path, list, bytes, sizeof bytes);
    if (size >= 0 && fsetxattr(draft->descriptor, list, bytes, (size_t)size, 0) == 0)
        return true;
    if (size >= 0 || errno == ERANGE)
        *mode = without_group(*mode);
    return false;
}

static bool set_access(const weft__draft *draft)
{
    struct stat old = {0};
    if (stat(draft->path, &old) != 0)
        return fchmod(draft->descriptor, new_mode(draft)) == 0;
    mode_t mode = old.st_mode & 0777;
    bool kept = fchown(draft->descriptor, old.st_uid, old.st_gid) == 0 ||
                fchown(draft->descriptor, (uid_t)-1, old.st_gid) == 0;
    if (!kept)
        mode = without_group(mode);
    return (kept && keep_list(draft, &mode)) || fchmod(draft->descriptor, mode) == 0;
}

static bool sync_file(int descriptor)
{
    while (fsync(descriptor) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

/* Gives a file without a name the temporary one. */
static bool name_draft(weft__draft *draft)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", draft->descriptor);
    flock(draft->descriptor, LOCK_EX | LOCK_NB);
    for (int k = 0; k < TRIES && !draft->named; k++) {
        draw_letters(draft);
        draft->named = linkat(AT_FDCWD, link, AT_FDCWD, draft->temporary, AT_SYMLINK_FOLLOW) == 0;
        if (!draft->named && errno != EEXIST)
            break;
    }
    return draft->named;
}

/* A file system that cannot sync directories has said what it can. */
static weft_status sync_folder(const weft__draft *draft, weft_error *error)
{
    int descriptor = open(draft->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return WEFT_OK;
    bool synced = sync_file(descriptor) || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    weft_status status = synced ? WEFT_OK : fail_to_write(draft, "its directory: ", error);
    close(descriptor);
    return status;
}

weft_status weft__draft_publish(weft__draft *draft, weft_error *error)
{
    bool ready = set_access(draft) && sync_file(draft->descriptor) && (draft->named || name_draft(draft));
    if (!ready || rename(draft->temporary, draft->path) != 0)
        return fail_to_write(draft, "", error);
    draft->named = false;
    return sync_folder(draft, error);
}
