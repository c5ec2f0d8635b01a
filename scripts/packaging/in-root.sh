# Runs commands as root on a copy of this system that exists only in memory, so that they can add users, install files
# and start services without changing the machine. scripts/packaging/root.ts starts it in its own namespaces:
#   sh in-root.sh FOLDER BINARY COMMANDS
# FOLDER is an empty folder, BINARY becomes /kontor-built, and COMMANDS is a file with shell commands.
set -eu
folder=$1 binary=$2 commands=$3

mount --make-rprivate /
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/changes" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/changes,workdir=$folder/work" "$folder/root"
cd "$folder/root"
install -m 0755 "$binary" kontor-built
install -m 0644 "$commands" kontor-commands

# The settings of the kernel are those of the machine, so nothing may write them.
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
mkdir dev/shm dev/pts
ln -s /proc/self/fd dev/fd
for device in null zero full random urandom tty ptmx; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done

mkdir -p kontor-outside
pivot_root . kontor-outside
umount -l /kontor-outside
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -eu /kontor-commands
