//! `host`: the local backend alone, for other programs.

use alidade_app::{Backend, LocalOptions};
use tokio::signal::unix::{SignalKind, signal};

use crate::{Status, arguments::Host, print};

pub(crate) async fn run(arguments: Host) -> Status {
    let options = LocalOptions {
        port: arguments.port,
        origins: arguments.origins,
    };
    let backend = match Backend::local(options).await {
        Ok(backend) => backend,
        Err(error) => {
            print::problem(error);
            return Status::Failed;
        }
    };
    // Programs that start this one read the two lines; whoever else can read this output may use it.
    let said = print::line(format_args!("COSMO_BASE_URL={}", backend.base_url()))
        .and_then(|()| print::line(format_args!("COSMO_API_KEY={}", backend.reveal_key())));
    let status = match said {
        Ok(()) => {
            ended().await;
            Status::Answered
        }
        Err(_) => Status::Failed,
    };
    backend.shutdown().await;
    status
}

/// Waits until the program is told to end.
async fn ended() {
    let (Ok(mut term), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
    }
}
