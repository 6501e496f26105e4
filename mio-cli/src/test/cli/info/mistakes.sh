# What goes to stderr is part of what the user sees.
exec 2>&1
mio info /no/such/file || echo "status $?"
mio info "$(printf 'no\033[31m\nfile')" || echo "status $?"
touch file
mio info file/below || echo "status $?"
mio info one two || echo "status $?"
mio info --fast || echo "status $?"
mio info '' || echo "status $?"
# A name of bytes that the locale has no characters for.
touch "$(printf 'gr\303\266\303\237e')" "$(printf 'bad\377')"
for command in info plot events; do
    LC_ALL=C mio $command "$(printf 'gr\303\266\303\237e')" 2>&1 | sed "s/'[^']*' is/'NAME' is/"
done
LC_ALL=C.UTF-8 mio info "$(printf 'bad\377')" 2>&1 | sed 's/: bad.*: there/: NAME: there/'
LC_ALL=C.UTF-8 mio events "$(printf 'bad\377')" 2>&1 | sed 's/: bad.*: no/: NAME: no/'
