# What goes to stderr is part of what the user sees.
exec 2>&1
mio info /no/such/file || echo "status $?"
mio info "$(printf 'no\033[31m\nfile')" || echo "status $?"
touch file
mio info file/below || echo "status $?"
mio info one two || echo "status $?"
mio info --fast || echo "status $?"
mio info '' || echo "status $?"
