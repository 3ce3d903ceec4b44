//! The program among others: started twice, closed in the middle, and looking at another program's window.

use std::time::{Duration, Instant};

use tokio::process::Command;

use crate::harness::{Bus, LONG, Window, file, program};

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn a_second_start_opens_in_the_first() {
    let window = Window::open(&[]).await;
    window
        .until(
            "the page",
            "return document.querySelector('textarea') ? true : null",
        )
        .await;
    let again = Command::new(program())
        .arg("settings.png")
        .current_dir(file(""))
        .env("DBUS_SESSION_BUS_ADDRESS", &window.bus.address)
        .status();
    let status = tokio::time::timeout(LONG, again).await.unwrap().unwrap();
    assert!(status.success(), "{status}");
    window.picture().await;
    window.close().await;
}

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn a_window_that_is_closed_in_the_middle_of_an_answer_ends_the_program() {
    let bus = Bus::start().await;
    let mut program = Command::new(program())
        .arg(file("lines.png"))
        .env("DBUS_SESSION_BUS_ADDRESS", &bus.address)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let moved = |script: &'static str| async move {
        let run = Command::new("bash")
            .args(["-c", script])
            .output()
            .await
            .unwrap();
        run.status.success()
    };
    let begun = Instant::now();
    // By the keyboard: the composer has the focus when the window opens.
    while !moved("xdotool search --sync --onlyvisible --name '^Alidade$' windowactivate --sync")
        .await
    {
        assert!(begun.elapsed() < LONG, "no window");
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(
        moved("xdotool type --delay 20 'Where is the zeppelin hangar?'; xdotool key Return").await
    );
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(moved("xdotool key alt+F4").await);
    let status = tokio::time::timeout(LONG, program.wait()).await;
    let status = status.expect("the program ends").unwrap();
    assert!(status.success(), "{status}");
}

/// The whole way: another program's window is found on the live screen, and a click where the mark is reaches the
/// thing that was asked for.

#[tokio::test]
#[ignore = "needs a display: tests/desktop/run"]
async fn a_mark_on_the_live_screen_is_where_the_other_programs_button_is() {
    let window = Window::open(&[]).await;
    let mut dialog = Command::new("zenity")
        .args(["--question", "--title=Papers", "--width=460"])
        .args([
            "--text=The report was changed.",
            "--ok-label=Archive it",
            "--cancel-label=Leave",
        ])
        .kill_on_drop(true)
        .spawn()
        .expect("zenity; Debian has it in zenity");
    let settled = Command::new("bash")
        .args([
            "-c",
            "id=$(xdotool search --sync --onlyvisible --name '^Papers$' | head -n1); \
                      xdotool windowmove --sync $id 60 60; xdotool windowraise $id",
        ])
        .status()
        .await
        .unwrap();
    assert!(settled.success());
    window.press("Camera or screen").await;
    window.choose("Papers").await;
    window.picture().await;
    window.ask("Where is Archive it?").await;
    window.answered("Archive").await;
    let [x, y, width, height] = window.only_mark().await;
    // The window's frame on the screen.
    let frame = "id=$(xdotool search --onlyvisible --name '^Papers$' | head -n1); \
                 while p=$(xwininfo -id $id -tree | sed -n 's/.*Parent window id: \\(0x[0-9a-f]*\\).*/\\1/p'); \
                 r=$(xwininfo -root | sed -n 's/.*Window id: \\(0x[0-9a-f]*\\).*/\\1/p'); [ $p != $r ]; do id=$p; done; \
                 xwininfo -id $id | awk '/Absolute/{print $NF} /Width|Height/{print $NF}'";
    let out = Command::new("bash")
        .args(["-c", frame])
        .output()
        .await
        .unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    let numbers: Vec<f64> = out.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let [left, top, frame_width, frame_height] = numbers[..] else {
        panic!("{out}")
    };
    let at = (
        left + (x + width / 2.0) * frame_width,
        top + (y + height / 2.0) * frame_height,
    );
    let click = format!(
        "xdotool mousemove --sync {} {} click 1",
        at.0.round(),
        at.1.round()
    );
    assert!(
        Command::new("bash")
            .args(["-c", &click])
            .status()
            .await
            .unwrap()
            .success()
    );
    let status = tokio::time::timeout(LONG, dialog.wait()).await;
    let status = status.expect("the click reaches a button").unwrap();
    assert_eq!(status.code(), Some(0), "the button that was asked for");
    window.close().await;
}
