//! System calls of hostile bots for which there is no safe wrapper.

use std::io;
use std::os::fd::AsRawFd;
use std::ptr::null_mut;

use rustix::process::Pid;

fn checked(result: impl Into<i64>) -> io::Result<i64> {
    match result.into() {
        -1 => Err(io::Error::last_os_error()),
        other => Ok(other),
    }
}

/// Forks. Returns the child to the parent, and `None` to the child.
#[expect(unsafe_code, reason = "forking has no safe wrapper")]
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: hostile bots fork from their only thread.
    Ok(Pid::from_raw(checked(unsafe { libc::fork() })? as i32))
}

/// Forks as `vfork` does, with the parent waiting for the child, but without shared memory.
#[expect(unsafe_code, reason = "forking has no safe wrapper")]
pub(super) fn vfork() -> io::Result<Option<Pid>> {
    let flags = i64::from(libc::CLONE_VFORK | libc::SIGCHLD);
    // SAFETY: without shared memory and without a new stack this is a fork.
    Ok(Pid::from_raw(checked(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })? as i32))
}

/// Ends this process without any cleanup.
#[expect(unsafe_code, reason = "a forked child must not run its parent's exit handlers")]
pub(super) fn exit(status: i32) -> ! {
    // SAFETY: the call does not return.
    unsafe { libc::_exit(status) }
}

/// Closes a standard stream.
#[expect(unsafe_code, reason = "closing a descriptor by its number has no safe wrapper")]
pub(super) fn close_stream(fd: i32) -> io::Result<()> {
    // SAFETY: only descriptors 0, 1 and 2 are closed, which no value in this program owns.
    checked(unsafe { libc::close(fd.clamp(0, 2)) }).map(drop)
}

/// Ignores every signal that can be ignored.
#[expect(unsafe_code, reason = "signal handlers have no safe wrapper")]
pub(super) fn ignore_all_signals() {
    for signal in 1..=64 {
        // SAFETY: an ignored signal runs no code. The kernel refuses signals that can't be ignored.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Resets the handler of a signal, and dies by the signal.
#[expect(unsafe_code, reason = "signal handlers have no safe wrapper")]
pub(super) fn die_by(signal: i32) {
    // SAFETY: the default action runs no code of this program.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Sends a signal to a process, or to several if the number is not positive.
#[expect(unsafe_code, reason = "signals to several processes have no safe wrapper")]
pub(super) fn kill(pid: i32, signal: i32) -> io::Result<()> {
    // SAFETY: the call touches no memory of this process.
    checked(unsafe { libc::kill(pid, signal) }).map(drop)
}

/// Maps anonymous memory, which is never unmapped.
#[expect(unsafe_code, reason = "mapping memory has no safe wrapper")]
fn map(bytes: usize, rights: i32, flags: i32) -> io::Result<*mut u8> {
    // SAFETY: a new mapping overlaps no other.
    let start = unsafe { libc::mmap(null_mut(), bytes, rights, flags | libc::MAP_ANONYMOUS, -1, 0) };
    if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start.cast()) }
}

/// Maps memory, private or shared by the flag `kind`, touches all pages, and keeps it.
#[expect(unsafe_code, reason = "mapping memory has no safe wrapper")]
pub(super) fn take_memory(bytes: usize, kind: i32) -> io::Result<()> {
    let start = map(bytes, libc::PROT_READ | libc::PROT_WRITE, kind)?;
    for at in (0..bytes).step_by(4096) {
        // SAFETY: the new mapping is written only within its bounds.
        unsafe { start.add(at).write_volatile(1) };
    }
    Ok(())
}

/// Makes a system call.
#[expect(unsafe_code, reason = "unusual system calls have no safe wrapper")]
fn call<const N: usize>(number: i64, arguments: [i64; N]) -> io::Result<i64> {
    let mut all = [0; 6];
    all[..N].copy_from_slice(&arguments);
    let [a, b, c, d, e, f] = all;
    // SAFETY: every caller in this file passes numbers, null pointers, or pointers that are valid during the call.
    checked(unsafe { libc::syscall(number, a, b, c, d, e, f) })
}

/// Becomes the tracer of another process. The caller must end soon, which releases that process.
pub(super) fn trace(pid: Pid) -> io::Result<()> {
    call(libc::SYS_ptrace, [i64::from(libc::PTRACE_SEIZE), pid.as_raw_nonzero().get().into(), 0, 0, 0])
        .map(drop)
}

/// Reads a byte of another process's memory at an address that is never mapped. A process that may read memory gets
/// the error that nothing is mapped there.
pub(super) fn read_memory(pid: Pid) -> io::Result<()> {
    let mut byte = 0_u8;
    let local = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let remote = libc::iovec { iov_base: 8 as *mut libc::c_void, iov_len: 1 };
    let pid = pid.as_raw_nonzero().get().into();
    let read =
        call(libc::SYS_process_vm_readv, [pid, (&raw const local) as i64, 1, (&raw const remote) as i64, 1]);
    match read {
        Err(error) if error.raw_os_error() != Some(libc::EFAULT) => Err(error),
        _ => Ok(()),
    }
}

/// Compares the open files of another process with those of this one.
pub(super) fn compare(pid: Pid) -> io::Result<()> {
    const FILES: i64 = 2;
    let this = i64::from(std::process::id());
    call(libc::SYS_kcmp, [this, pid.as_raw_nonzero().get().into(), FILES, 0, 0]).map(drop)
}

pub(super) fn socket(domain: i32, kind: i32, protocol: i32) -> io::Result<()> {
    call(libc::SYS_socket, [domain.into(), kind.into(), protocol.into(), 0, 0]).map(drop)
}

/// Requests a signal for events in an open folder, through the old interface.
pub(super) fn notify(folder: &std::fs::File) -> io::Result<()> {
    const ACCESS: i64 = 1;
    call(libc::SYS_fcntl, [folder.as_raw_fd().into(), libc::F_NOTIFY.into(), ACCESS]).map(drop)
}

/// Takes one of the host's contexts for asynchronous I/O, and releases it.
pub(super) fn io_context() -> io::Result<()> {
    let mut context = 0_i64;
    call(libc::SYS_io_setup, [1, (&raw mut context) as i64])?;
    call(libc::SYS_io_destroy, [context]).map(drop)
}

/// Maps pages of this process into a pipe.
pub(super) fn lend_pages() -> io::Result<()> {
    let (_read, write) = rustix::pipe::pipe()?;
    let page = vec![1_u8; 4096];
    let piece = libc::iovec { iov_base: page.as_ptr().cast_mut().cast(), iov_len: page.len() };
    call(libc::SYS_vmsplice, [write.as_raw_fd().into(), (&raw const piece) as i64, 1, 0]).map(drop)
}

/// Maps shared memory, touches all pages, and discards their mappings while the memory stays.
#[expect(unsafe_code, reason = "mapping memory has no safe wrapper")]
pub(super) fn take_memory_unseen(bytes: usize) -> io::Result<()> {
    const PIECE: usize = 1 << 20;
    let start = map(bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED)?;
    for piece in (0..bytes).step_by(PIECE) {
        // SAFETY: the new mapping is written only within its bounds.
        unsafe {
            for at in (piece..(piece + PIECE).min(bytes)).step_by(4096) {
                start.add(at).write_volatile(1);
            }
            libc::madvise(start.add(piece).cast(), PIECE, libc::MADV_DONTNEED);
        }
    }
    Ok(())
}

/// Makes the kernel allocate `bytes` bytes of page tables, all for the zero page.
#[expect(unsafe_code, reason = "mapping memory has no safe wrapper")]
pub(super) fn take_page_tables(bytes: usize) -> io::Result<()> {
    // One page of page table maps this many bytes.
    const MAPPED: usize = 2 << 20;
    let size = bytes / 4096 * MAPPED;
    let start = map(size, libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_NORESERVE)?;
    // SAFETY: the new mapping is read only within its bounds.
    unsafe {
        libc::madvise(start.cast(), size, libc::MADV_NOHUGEPAGE);
        for at in (0..size).step_by(MAPPED) {
            start.add(at).read_volatile();
        }
    }
    Ok(())
}

/// Ends only this thread, even if it is the main thread.
pub(super) fn end_thread() {
    let _ = call(libc::SYS_exit, [0]);
}

pub(super) fn io_ring() -> io::Result<()> {
    let mut parameters = [0_u8; 120];
    call(libc::SYS_io_uring_setup, [1, parameters.as_mut_ptr() as i64, 0, 0, 0]).map(drop)
}

/// Enters new namespaces of these kinds.
pub(super) fn unshare(flags: i32) -> io::Result<()> {
    call(libc::SYS_unshare, [flags.into(), 0, 0, 0, 0]).map(drop)
}

/// Enters a mount namespace, with a user namespace if necessary, and mounts a small file system there.
pub(super) fn mount() -> io::Result<()> {
    if unshare(libc::CLONE_NEWNS).is_err() {
        unshare(libc::CLONE_NEWNS | libc::CLONE_NEWUSER)?;
    }
    let flags = i64::try_from(libc::MS_REC | libc::MS_PRIVATE).unwrap_or_default();
    // The mounts that follow are visible only in this namespace.
    call(libc::SYS_mount, [0, c"/".as_ptr() as i64, 0, flags, 0])?;
    let kind = c"tmpfs".as_ptr() as i64;
    let options = c"size=4096".as_ptr() as i64;
    call(libc::SYS_mount, [kind, c"/proc".as_ptr() as i64, kind, 0, options]).map(drop)
}

/// Changes the root to the current folder, which is not a mount. A process that may change its root gets an error
/// about that.
pub(super) fn swap_root() -> io::Result<()> {
    let here = c".".as_ptr() as i64;
    match call(libc::SYS_pivot_root, [here, here, 0, 0, 0]) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        other => other.map(drop),
    }
}

/// Opens a file by a handle that no file has. A process that may use handles gets the error that it is stale.
pub(super) fn open_by_handle() -> io::Result<()> {
    let handle = [8_u32, 1, 0, 0];
    match call(libc::SYS_open_by_handle_at, [libc::AT_FDCWD.into(), handle.as_ptr() as i64, 0, 0, 0]) {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => Err(error),
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => Err(error),
        _ => Ok(()),
    }
}

/// Adds a key to the keyring of the process.
pub(super) fn add_key() -> io::Result<()> {
    const PROCESS_KEYRING: i64 = -2;
    let text = c"hostile".as_ptr() as i64;
    call(libc::SYS_add_key, [c"user".as_ptr() as i64, text, text, 7, PROCESS_KEYRING]).map(drop)
}

/// Creates a shared memory segment, which could outlive the process, and removes it.
pub(super) fn shared_segment() -> io::Result<()> {
    let id = call(libc::SYS_shmget, [0, 4096, 0o600, 0, 0])?;
    call(libc::SYS_shmctl, [id, libc::IPC_RMID.into(), 0, 0, 0]).map(drop)
}

/// Requests a real-time scheduling class.
pub(super) fn run_first() -> io::Result<()> {
    let priority = 1_i32;
    call(libc::SYS_sched_setscheduler, [0, libc::SCHED_FIFO.into(), (&raw const priority) as i64, 0, 0])
        .map(drop)
}

/// Pushes a character into the terminal's input.
pub(super) fn type_into_terminal() -> io::Result<()> {
    let character = b'\n';
    call(libc::SYS_ioctl, [0, libc::TIOCSTI as i64, (&raw const character) as i64, 0, 0]).map(drop)
}

/// Makes a system call by its x32 number, if the kernel supports that.
pub(super) fn call_as_x32() -> io::Result<()> {
    call(libc::SYS_getpid | 0x4000_0000, [0; 5]).map(drop)
}

/// Makes a system call through the 32-bit entry, if the kernel has it.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the 32-bit entry has no safe wrapper")]
pub(super) fn call_as_32_bit() -> io::Result<()> {
    let mut answer: i64 = 20;
    // SAFETY: call number 20 returns the process id and touches no memory.
    unsafe {
        std::arch::asm!("int 0x80", inout("rax") answer, out("r8") _, out("r9") _, out("r10") _, out("r11") _);
    }
    if answer == i64::from(std::process::id()) { Ok(()) } else { Err(io::ErrorKind::Unsupported.into()) }
}

/// There is no 32-bit entry.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn call_as_32_bit() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_call_says_why() {
        let error = kill(i32::MAX, 0).expect_err("there is no such process");
        assert_eq!(error.raw_os_error(), Some(libc::ESRCH));
    }
}
