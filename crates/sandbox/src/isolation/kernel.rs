//! The one system call of the isolation that has no safe wrapper.

/// Returns the version of Landlock that this kernel offers, or the reason why there is none.
#[expect(unsafe_code, reason = "the crate reveals the version only to a process that restricts itself")]
pub(super) fn landlock_version() -> Result<u32, &'static str> {
    const ASK_VERSION: u32 = 1;
    // SAFETY: with this flag no structure is read, and nothing is made.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<libc::c_void>(),
            0usize,
            ASK_VERSION,
        )
    };
    if let Ok(version @ 1..) = u32::try_from(version) {
        return Ok(version);
    }
    Err(match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::EOPNOTSUPP) => "the kernel supports it, but it is disabled",
        _ => "the kernel does not support it",
    })
}
