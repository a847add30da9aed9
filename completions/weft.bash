# SPDX-License-Identifier: MIT
# Completion of weft for bash: commands, options and their words, SPECs, files.
# What there is, the program itself says; what a SPEC takes is listed here, and the tests ask the program for that too.

# _weft_help [COMMAND]: its help, an option a line.
_weft_help() {
    LC_ALL=C ARGP_HELP_FMT=rmargin=9000,opt-doc-col=70 "$_weft_program" "$@" --help 2>/dev/null
}

# The options of the command $1; of these, those that need a value end with `='.
_weft_options() {
    _weft_help "$1" | sed -nE 's/^ +(-., )?(--[a-z][a-z-]*=?).*$/\2/p'
}

# What the command $1 can be asked for by NAME, where it lists that.
_weft_names() {
    local help
    help=$(_weft_help "$1")
    case ${help%%$'\n'*} in *" NAME"*) sed -nE 's/^  ([a-z][a-z0-9]*)  +.*/\1/p' <<<"$help" ;; esac
}

# What the option $2 of the command $1 takes, such as FILE or paper|balanced.
_weft_argument() {
    _weft_help "$1" | sed -nE "s/^ +(-., )?$2=([^ ]+).*\$/\2/p"
}

# The words of a SPEC option $1= after the comma, of the kind $2.
_weft_spec_values() {
    case $1 in
    missing) if [ "$2" = graph ]; then echo join alone error; else echo error alone; fi ;;
    connect) echo star error ;;
    repair) echo error clip shift ;;
    kernel) if [ "$2" = graph ]; then echo pdlaplacian regularised diffusion none; else echo linear gaussian min; fi ;;
    laplacian) echo plain normalised ;;
    scale) echo none unit ;;
    names) echo kept hashed ;;
    map)
        case $2 in
        none | classes) echo hash: ;;
        features) echo hash: fourier: eigen: ;;
        *) echo eigen: ;;
        esac
        ;;
    esac
}

_weft_spec_options() {
    case $1 in
    none) echo names= ;;
    classes) echo epsilon= ;;
    graph) echo kernel= sigma= time= laplacian= scale= connect= ids= ;;
    kernel) echo repair= ids= ;;
    matrix) echo ids= ;;
    features) echo kernel= epsilon= width= range= ;;
    table) echo id= missing= skip= && return ;;
    esac
    echo missing= radius= map= seed=
}

# Completes the SPEC $1: its kind, the file, then options.
_weft_complete_spec() {
    local spec=$1 kind=${1%%[:,]*} done last
    case $spec in
    *,*=*)
        done=${spec%=*}= last=${spec##*=}
        local option=${done##*,}
        if [ "$option" = ids= ]; then
            _weft_complete_files "$last" "$done"
        else
            _weft_take "$done" "$last" "$(_weft_spec_values "${option%=}" "$kind")"
        fi
        ;;
    *,*) _weft_take "${spec%,*}," "${spec##*,}" "$(_weft_spec_options "$kind")" ;;
    *:*) _weft_complete_files "${spec#*:}" "$kind:" ;;
    *) _weft_take "" "$spec" "none classes: graph: kernel: matrix: features: table:" ;;
    esac
}

# _weft_take BEFORE WORD CHOICES: those that begin with WORD, BEFORE in front.
_weft_take() {
    local choice
    for choice in $3; do
        case $choice in "$2"*) COMPREPLY+=("$1$choice") ;; esac
    done
}

_weft_complete_files() {
    local file
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        [ ! -d "$file" ] || file=$file/
        COMPREPLY+=("$2$file")
    done < <(compgen -f -- "$1")
}

# The value of an option, which takes $1; the word so far is $2, and `before' what
# stands in front of it within the same word.
_weft_complete_value() {
    local argument=$1 word=$2 before=$3 k
    case $argument in
    SPEC) _weft_complete_spec "$word" ;;
    *FILE* | DIR | PAIRS | *.csv | *CSV* | MODEL | OUT* | IN* | *.weft) _weft_complete_files "$word" "" ;;
    *\|*) _weft_take "" "$word" "${argument//|/ }" ;;
    esac
    for k in "${!COMPREPLY[@]}"; do
        COMPREPLY[k]=$before${COMPREPLY[k]}
    done
}

# The line up to the cursor in words, split at blanks alone: COMP_WORDS also splits
# at the characters of COMP_WORDBREAKS, which are those of a SPEC.
_weft() {
    local _weft_program=$1 line=${COMP_LINE:0:COMP_POINT} words=() word previous command argument k cut
    COMPREPLY=()
    command -v -- "$_weft_program" >/dev/null 2>&1 || _weft_program=weft
    read -r -a words <<<"$line"
    case $line in *[[:space:]]) words+=("") ;; esac
    word=${words[${#words[@]} - 1]}
    if [ ${#words[@]} -le 2 ]; then
        _weft_take "" "$word" "$(_weft_help | sed -nE 's/^  weft ([a-z]+) .*/\1/p') --help --version"
        return
    fi
    command=${words[1]} previous=${words[${#words[@]} - 2]}
    case $word in
    --*=*) _weft_complete_value "$(_weft_argument "$command" "${word%%=*}")" "${word#*=}" "${word%%=*}=" ;;
    -*) _weft_take "" "$word" "$(_weft_options "$command" | tr -d =)" ;;
    *)
        argument=
        case $previous in --*=*) ;; --*) argument=$(_weft_argument "$command" "$previous") ;; esac
        if [ -n "$argument" ]; then
            _weft_complete_value "$argument" "$word" ""
        elif [ ${#words[@]} -eq 3 ] && [ -n "$(_weft_names "$command")" ]; then
            _weft_take "" "$word" "$(_weft_names "$command")"
        else
            _weft_complete_files "$word" ""
        fi
        ;;
    esac
    # A word that goes on gets no blank.
    if [ ${#COMPREPLY[@]} -eq 1 ]; then
        case ${COMPREPLY[0]} in *[:=/]) compopt -o nospace 2>/dev/null ;; esac
    fi
    # bash puts back only what follows the last of its word breaks.
    cut=${word%"${word##*[:=]}"}
    for k in "${!COMPREPLY[@]}"; do
        COMPREPLY[k]=${COMPREPLY[k]#"$cut"}
    done
}

complete -F _weft weft
