/* What an AppImage of demine begins with: unpacks the file system behind itself once, and starts it.
 *
 * The usual runtime mounts it with FUSE at another path each time. FUSE is missing on many systems,
 * and compiled kernels are kept by the path of their sources, so they would be compiled at every
 * start. Unpacked into the user's cache folder, all of it stays where it is and starts as quickly as
 * an installation. A folder that no start has used for a month is removed when another is unpacked.
 *
 * scripts/bundle.py compiles this with IMAGE_ID, which names the contents of the image.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <squashfuse/squashfuse.h>

enum { FAILED = 127, BLOCK = 1 << 20 };
static const time_t UNUSED_FOR = 30 * 86400;
static const char *const HELP =
    "Everything but these goes to demine:\n"
    "  --appimage-extract   unpack into squashfs-root in this folder, and start nothing\n"
    "  --appimage-offset    print where the squashfs image begins\n"
    "  --appimage-help      print this\n";

static int reads_chinese(void) {
    const char *const names[] = {"DEMINE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strncmp(value, "zh", 2) == 0;
    }
    return 0;
}

static const char *localized(const char *english, const char *chinese) {
    return reads_chinese() ? chinese : english;
}

static void fail(const char *english, const char *chinese, const char *path) {
    fprintf(stderr, localized(english, chinese), path, strerror(errno));
    exit(FAILED);
}

static char *join(const char *format, ...) {
    char *made;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&made, format, arguments) < 0) abort();
    va_end(arguments);
    return made;
}

/* The image begins where the program, whose last part is its table of sections, ends. */
static size_t image_offset(const char *self) {
    Elf64_Ehdr header;
    FILE *file = fopen(self, "rb");
    if (!file || fread(&header, sizeof header, 1, file) != 1)
        fail("%s cannot be read: %s\n", "无法读取 %s：%s\n", self);
    fclose(file);
    return header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
}

static void make_folders(char *path) {
    for (char *end = path + 1; (end = strchr(end, '/')); *end++ = '/') {
        *end = 0;
        mkdir(path, 0700);
    }
    mkdir(path, 0700);
}

static int remove_one(const char *path, const struct stat *seen, int kind, struct FTW *where) {
    (void)seen, (void)kind, (void)where;
    remove(path);
    return 0;
}

static void remove_tree(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int write_file(sqfs *fs, sqfs_inode *inode, const char *path, mode_t mode) {
    static char block[BLOCK];
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    if (file < 0) return -1;
    for (uint64_t at = 0; at < inode->xtra.reg.file_size;) {
        sqfs_off_t size = BLOCK;
        errno = EIO;
        if (sqfs_read_range(fs, inode, at, &size, block) || size <= 0) return close(file), -1;
        for (ssize_t done = 0, more; done < size; done += more)
            if ((more = write(file, block + done, size - done)) < 0) return close(file), -1;
        at += size;
    }
    return close(file);
}

static int write_link(sqfs *fs, sqfs_inode *inode, const char *path) {
    char target[PATH_MAX];
    size_t size = sizeof target;
    errno = EIO;
    if (sqfs_readlink(fs, inode, target, &size)) return -1;
    return symlink(target, path);
}

static int write_entry(sqfs *fs, sqfs_inode *inode, const char *path) {
    int done = -1;
    errno = EIO;
    if (S_ISDIR(inode->base.mode)) done = mkdir(path, 0700);
    if (S_ISREG(inode->base.mode)) done = write_file(fs, inode, path, inode->base.mode);
    if (S_ISLNK(inode->base.mode)) done = write_link(fs, inode, path);
    /* The image's own times, so that what is cached by path and time holds after unpacking anew. */
    const struct timespec time = {.tv_sec = inode->base.mtime}, times[2] = {time, time};
    if (!done && !S_ISDIR(inode->base.mode)) utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
    return done;
}

static void unpack(const char *self, const char *folder) {
    sqfs fs;
    sqfs_err error = SQFS_OK;
    sqfs_traverse at;
    errno = EIO;
    if (sqfs_open_image(&fs, self, image_offset(self)) ||
        sqfs_traverse_open(&at, &fs, sqfs_inode_root(&fs)) || mkdir(folder, 0700))
        fail("Cannot unpack into %s: %s\n", "无法解压到 %s：%s\n", folder);
    while (sqfs_traverse_next(&at, &error)) {
        if (at.dir_end) continue;
        sqfs_inode inode;
        char *path = join("%s/%s", folder, at.path);
        errno = EIO;
        if (sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&at.entry)) ||
            write_entry(&fs, &inode, path)) {
            int reason = errno;
            remove_tree(folder);
            errno = reason;
            fail("Cannot unpack %s: %s\n", "无法解压 %s：%s\n", path);
        }
        free(path);
    }
    errno = EIO;
    if (error) remove_tree(folder), fail("%s is damaged: %s\n", "%s 已损坏：%s\n", self);
    sqfs_traverse_close(&at);
    sqfs_destroy(&fs);
}

static void remove_unused(const char *home) {
    DIR *folder = opendir(home);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat seen;
        char *path = join("%s/%s", home, entry->d_name);
        if (entry->d_name[0] != '.' && !lstat(path, &seen) && seen.st_mtime < time(NULL) - UNUSED_FOR)
            remove_tree(path);
        free(path);
    }
    if (folder) closedir(folder);
}

/* The folder of this image, unpacked there by its first start. */
static char *unpacked(const char *self) {
    const char *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    char *home = cache && *cache == '/' ? join("%s/demine/appimage", cache)
                                        : join("%s/.cache/demine/appimage", user ? user : "");
    char *folder = join("%s/%s", home, IMAGE_ID), *part = join("%s.part-%d", folder, getpid());
    if (access(folder, F_OK)) {
        if (isatty(STDERR_FILENO))
            fputs(localized("Unpacking (once) ...\n", "正在解压（仅此一次）……\n"), stderr);
        make_folders(home);
        remove_unused(home);
        unpack(self, part);
        /* Another start may have been quicker; then that one's is taken. */
        if (rename(part, folder)) remove_tree(part);
    }
    utimensat(AT_FDCWD, folder, NULL, 0);
    return folder;
}

int main(int count, char **words) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) fail("%s cannot be read: %s\n", "无法读取 %s：%s\n", "/proc/self/exe");
    self[length] = 0;
    const char *wish = count > 1 ? words[1] : "";
    if (!strcmp(wish, "--appimage-help")) return fputs(HELP, stdout) < 0;
    if (!strcmp(wish, "--appimage-offset")) return printf("%zu\n", image_offset(self)) < 0;
    if (!strcmp(wish, "--appimage-extract")) return unpack(self, "squashfs-root"), 0;
    char *folder = unpacked(self), *program = join("%s/AppRun", folder);
    setenv("APPIMAGE", self, 1);
    setenv("APPDIR", folder, 1);
    setenv("ARGV0", words[0], 1);
    execv(program, words);
    fail("%s cannot be started: %s\n", "无法启动 %s：%s\n", program);
}
