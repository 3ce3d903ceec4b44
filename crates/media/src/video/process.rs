//! A process and all that it started, ended together.
//!
//! The program that decodes may be a script that starts another one. Ending the script alone would leave
//! the other one running for ever.

use std::{
    io,
    process::{Child, ChildStderr, ChildStdout, Command},
};

use parking_lot::Mutex;

/// A process at the head of a group of its own, where the system has groups.
pub(super) struct Process(Mutex<State>);

struct State {
    child: Child,
    /// It was waited for: its number may by now be another's.
    gone: bool,
}

impl Process {
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        Ok(Self(Mutex::new(State { child, gone: false })))
    }

    /// What it writes; once.
    pub(super) fn output(&self) -> Option<ChildStdout> {
        self.0.lock().child.stdout.take()
    }

    /// What it has to say; once.
    pub(super) fn messages(&self) -> Option<ChildStderr> {
        self.0.lock().child.stderr.take()
    }

    /// Ends it and all it started; without effect where that has been done.
    pub(super) fn kill(&self) {
        self.0.lock().kill();
    }

    /// [`Process::kill`], and waits until the system has cleared it away.
    pub(super) fn finish(&self) {
        let mut state = self.0.lock();
        state.kill();
        // It fails only where there is nothing to wait for.
        let _ = state.child.wait();
        state.gone = true;
    }
}

impl State {
    fn kill(&mut self) {
        if self.gone {
            return;
        }
        // Until it is waited for, its number is its own, also where it has ended by itself; so the group
        // with that number is its own, too. Both calls fail only where nothing is left.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }
}
