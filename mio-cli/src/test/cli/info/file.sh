# Of the machine only what is the same on every one.
printf '12345' >'five bytes'
mio info 'five bytes' | sed -n '/^File$/,/size/p' | grep -v 'without links'
mio info 'five bytes' | grep -E '^[A-Z]|^  MIO '
name=$(printf 'a\033]0;title\007\nb')
touch "$name"
mio info "$name" | grep '^  path'
mkfifo pipe
mio info pipe | sed -n '2,7p' | grep -v 'without links'
mio info --json . | grep -E '^  "|"kind"'
