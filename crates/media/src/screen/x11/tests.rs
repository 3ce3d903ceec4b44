//! Against a real X server without a monitor (Xvfb), with windows of this process and of another one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failed test may panic"
)]

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
};

use x11rb::{
    connection::Connection as _,
    protocol::xproto::{
        ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, PropMode, Window, WindowClass,
    },
    wrapper::ConnectionExt as _,
};

use super::*;
use crate::screen::ScreenChoice;

const RED: u32 = 0x00c0_2010;
const GREEN: u32 = 0x0010_a030;
const BLUE: u32 = 0x0020_30d0;

/// A display of its own.
struct Server {
    process: Child,
    name: String,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "640x480x24",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb, which Debian has in the package xvfb");
        let mut number = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut number)
            .unwrap();
        Self {
            process,
            name: format!(":{}", number.trim()),
        }
    }

    fn display(&self) -> Display {
        Display::at(&self.name).unwrap()
    }

    /// A window of another process.
    fn stranger(&self, colour: u32, x: i16, y: i16, width: u16, height: u16) -> Stranger {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "--nocapture",
                "screen::x11::tests::stranger",
            ])
            .env("STRANGER_DISPLAY", &self.name)
            .env(
                "STRANGER_WINDOW",
                format!("{colour} {x} {y} {width} {height}"),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let window = BufReader::new(process.stdout.take().unwrap())
            .lines()
            .find_map(|line| line.unwrap().strip_prefix("window ")?.parse().ok())
            .expect("the other process shows its window");
        Stranger { process, window }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Another process with a window.
struct Stranger {
    process: Child,
    window: Window,
}

impl Stranger {
    fn close(&mut self) {
        drop(self.process.stdin.take());
        self.process.wait().unwrap();
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn window(display: &Display, colour: u32, x: i16, y: i16, width: u16, height: u16) -> Window {
    let c = &display.connection;
    let window = c.generate_id().unwrap();
    let looks = CreateWindowAux::new().background_pixel(colour);
    c.create_window(
        x11rb::COPY_DEPTH_FROM_PARENT,
        window,
        display.root,
        x,
        y,
        width,
        height,
        0,
        WindowClass::INPUT_OUTPUT,
        x11rb::COPY_FROM_PARENT,
        &looks,
    )
    .unwrap();
    c.map_window(window).unwrap();
    c.sync().unwrap();
    window
}

/// Not a test: the other process of the tests below.
#[test]
#[ignore = "run by the tests below as another process"]
fn stranger() {
    let Ok(name) = std::env::var("STRANGER_DISPLAY") else {
        return;
    };
    let given = std::env::var("STRANGER_WINDOW").unwrap();
    let numbers: Vec<u32> = given.split(' ').map(|n| n.parse().unwrap()).collect();
    let [colour, x, y, width, height] = numbers[..] else {
        panic!("{given}")
    };
    let display = Display::at(&name).unwrap();
    let window = window(
        &display,
        colour,
        x.try_into().unwrap(),
        y.try_into().unwrap(),
        width.try_into().unwrap(),
        height.try_into().unwrap(),
    );
    // The test's harness may have begun the line.
    println!("\nwindow {window}");
    let _ = std::io::stdin().read(&mut [0]);
}

fn eye(server: &Server, choice: ScreenChoice) -> Eye {
    let display = server.display();
    let target = Target::new(&display, choice).unwrap();
    Eye::new(display, target)
}

/// A new picture, where there is one.
fn look(eye: &mut Eye) -> Option<Picture> {
    // A look that falls into a change is made again.
    for _ in 0..100 {
        match eye.look() {
            Ok(seen) => return seen,
            Err(Failure::Changed) => {}
            Err(Failure::Lasting(error)) => panic!("{error}"),
        }
    }
    panic!("it never came to rest");
}

fn at(picture: &Picture, x: u32, y: u32) -> u32 {
    let place = (y * picture.size().width + x) as usize * 3;
    let rgb = picture.rgb();
    u32::from_be_bytes([0, rgb[place], rgb[place + 1], rgb[place + 2]])
}

const GREY: u32 = 0x0080_8080;

#[test]
fn own_windows_are_never_in_the_picture_and_others_are_where_they_lie() {
    let server = Server::start();
    let ours = server.display();
    let _red = server.stranger(RED, 100, 50, 200, 100);
    let blue = window(&ours, BLUE, 150, 80, 100, 100);
    let _green = server.stranger(GREEN, 200, 90, 20, 20);

    let mut eye = eye(&server, ScreenChoice::Whole);
    let picture = look(&mut eye).unwrap();
    assert_eq!(picture.size(), Size::new(640, 480));
    assert_eq!((picture.region().x, picture.region().y), (0, 0));
    assert_eq!(at(&picture, 100, 50), RED);
    assert_eq!(at(&picture, 149, 149), RED);
    assert_eq!(at(&picture, 150, 80), GREY, "our window");
    assert_eq!(
        at(&picture, 249, 179),
        GREY,
        "our window, to its last pixel"
    );
    assert_eq!(at(&picture, 205, 95), GREEN, "what lies above our window");

    // What happens in a window of ours is no change of the picture.
    let c = &ours.connection;
    c.change_window_attributes(
        blue,
        &x11rb::protocol::xproto::ChangeWindowAttributesAux::new().background_pixel(RED),
    )
    .unwrap();
    c.clear_area(false, blue, 0, 0, 0, 0).unwrap();
    c.sync().unwrap();
    assert!(look(&mut eye).is_none());

    // Where it moves away, what lies below is seen again.
    let aside = ConfigureWindowAux::new().x(400).y(300);
    c.configure_window(blue, &aside).unwrap();
    c.sync().unwrap();
    let moved = look(&mut eye).unwrap();
    assert_eq!(at(&moved, 150, 80), RED);
    assert_eq!(at(&moved, 400, 300), GREY);
}

#[test]
fn a_still_screen_gives_one_picture() {
    let server = Server::start();
    let mut eye = eye(&server, ScreenChoice::Whole);
    assert!(look(&mut eye).is_some());
    assert!(look(&mut eye).is_none());
    let _red = server.stranger(RED, 10, 10, 30, 30);
    assert_eq!(at(&look(&mut eye).unwrap(), 20, 20), RED);
}

#[test]
fn a_covered_window_is_seen_whole_followed_and_missed_when_it_closes() {
    let server = Server::start();
    let ours = server.display();
    let mut red = server.stranger(RED, 100, 50, 200, 100);
    let mut eye = eye(&server, ScreenChoice::Window(red.window));
    window(&ours, BLUE, 0, 0, 640, 480);

    // What a window shows is drawn by its program, here by the server, when it is exposed.
    ours.connection
        .clear_area(true, red.window, 0, 0, 0, 0)
        .unwrap();
    ours.connection.sync().unwrap();
    let picture = look(&mut eye).unwrap();
    assert_eq!(picture.size(), Size::new(200, 100));
    assert_eq!((picture.region().x, picture.region().y), (100, 50));
    assert!(
        [(0, 0), (199, 99), (100, 50)].map(|(x, y)| at(&picture, x, y)) == [RED; 3],
        "all of it is seen"
    );

    let larger = ConfigureWindowAux::new().x(10).y(20).width(300).height(150);
    ours.connection
        .configure_window(red.window, &larger)
        .unwrap();
    ours.connection.sync().unwrap();
    let picture = look(&mut eye).unwrap();
    assert_eq!(picture.size(), Size::new(300, 150));
    assert_eq!((picture.region().x, picture.region().y), (10, 20));

    // Minimised, it has nothing to show; the last picture stays.
    ours.connection.unmap_window(red.window).unwrap();
    ours.connection.sync().unwrap();
    assert!(look(&mut eye).is_none());
    ours.connection
        .configure_window(red.window, &ConfigureWindowAux::new().width(310))
        .unwrap();
    ours.connection.map_window(red.window).unwrap();
    ours.connection.sync().unwrap();
    assert_eq!(look(&mut eye).unwrap().size(), Size::new(310, 150));

    red.close();
    let gone = loop {
        match eye.look() {
            Ok(_) | Err(Failure::Changed) => {}
            Err(Failure::Lasting(error)) => break error,
        }
    };
    assert!(matches!(gone, SourceError::WindowGone(_)), "{gone}");
}

#[test]
fn a_framed_window_that_is_being_minimised_keeps_its_last_picture() {
    let server = Server::start();
    let ours = server.display();
    let red = server.stranger(RED, 0, 0, 200, 100);
    // As a window manager frames it, with a title above.
    let frame = window(&ours, GREEN, 50, 60, 200, 120);
    let c = &ours.connection;
    c.reparent_window(red.window, frame, 0, 20).unwrap();
    c.sync().unwrap();
    let mut eye = eye(&server, ScreenChoice::Window(red.window));
    c.clear_area(true, frame, 0, 0, 0, 0).unwrap();
    c.clear_area(true, red.window, 0, 0, 0, 0).unwrap();
    c.sync().unwrap();
    let picture = look(&mut eye).unwrap();
    assert_eq!(picture.size(), Size::new(200, 120));
    assert_eq!((at(&picture, 5, 5), at(&picture, 5, 25)), (GREEN, RED));

    // Its manager shrinks the frame first, then takes the window out of it.
    let strip = ConfigureWindowAux::new().width(100).height(20);
    c.configure_window(frame, &strip).unwrap();
    c.sync().unwrap();
    assert!(look(&mut eye).is_none(), "a scrap of it");
    c.configure_window(frame, &ConfigureWindowAux::new().width(220).height(130))
        .unwrap();
    c.unmap_window(red.window).unwrap();
    c.sync().unwrap();
    assert!(look(&mut eye).is_none(), "a frame without its window");
}

#[test]
fn windows_of_others_are_offered_uppermost_first_and_ours_never() {
    let server = Server::start();
    let ours = server.display();
    let (red, green) = (
        server.stranger(RED, 0, 0, 50, 50),
        server.stranger(GREEN, 100, 0, 50, 50),
    );
    let blue = window(&ours, BLUE, 200, 0, 50, 50);
    let c = &ours.connection;
    let name = |window, text: &str| {
        let (name, utf8) = (ours.atoms._NET_WM_NAME, ours.atoms.UTF8_STRING);
        c.change_property8(PropMode::REPLACE, window, name, utf8, text.as_bytes())
            .unwrap();
    };
    name(red.window, "Überblick");
    c.change_property8(
        PropMode::REPLACE,
        red.window,
        u32::from(x11rb::protocol::xproto::AtomEnum::WM_CLASS),
        x11rb::protocol::xproto::AtomEnum::STRING,
        b"view\0Viewer\0",
    )
    .unwrap();
    name(green.window, "Green");
    name(blue, "Alidade");
    // As a window manager would tell it.
    c.change_property32(
        PropMode::REPLACE,
        ours.root,
        ours.atoms._NET_CLIENT_LIST_STACKING,
        x11rb::protocol::xproto::AtomEnum::WINDOW,
        &[red.window, blue, green.window],
    )
    .unwrap();
    c.sync().unwrap();

    let offered = ours.windows().unwrap();
    let titles: Vec<_> = offered.iter().map(|w| w.title.as_str()).collect();
    assert_eq!(titles, ["Green", "Überblick"]);
    assert_eq!(offered[1].program, "Viewer");
    let found = Target::new(&ours, ScreenChoice::Titled("über".into())).unwrap();
    assert_eq!(found.name(), "Überblick");
    let missing = Target::new(&ours, ScreenChoice::Titled("alidade".into())).err();
    assert_eq!(missing, Some(SourceError::NoWindow("alidade".into())));
    let refused = Target::new(&ours, ScreenChoice::Window(blue))
        .err()
        .unwrap();
    assert_eq!(refused, SourceError::OwnWindow);
    let unknown = Target::new(&ours, ScreenChoice::Window(0x7f_ffff))
        .err()
        .unwrap();
    assert!(matches!(unknown, SourceError::WindowGone(_)), "{unknown}");
}

#[test]
fn a_monitor_is_its_part_of_the_screen_and_a_wrong_name_says_which_there_are() {
    let server = Server::start();
    let display = server.display();
    let monitors = display.monitors().unwrap();
    let [only] = &monitors[..] else {
        panic!("{monitors:?}")
    };
    let mut eye = eye(&server, ScreenChoice::Monitor(only.name.clone()));
    assert_eq!(look(&mut eye).unwrap().size(), only.region.size);
    let wrong = Target::new(&display, ScreenChoice::Monitor("DP-9".into()))
        .err()
        .unwrap();
    assert!(wrong.to_string().contains(&only.name), "{wrong}");
}

#[test]
fn pixels_over_the_wire_are_those_of_shared_memory() {
    let server = Server::start();
    let _red = server.stranger(RED, 100, 50, 200, 100);
    let mut shared = eye(&server, ScreenChoice::Whole);
    let mut wired = eye(&server, ScreenChoice::Whole);
    assert!(shared.display.shared_memory);
    wired.display.shared_memory = false;
    let (shared, wired) = (look(&mut shared).unwrap(), look(&mut wired).unwrap());
    assert_eq!(shared.rgb(), wired.rgb());
}

#[test]
fn a_mask_covers_what_is_ours_and_nothing_else() {
    let place = Rect::new(10, 20, 4, 3);
    let mut pixels = vec![0; 4 * 3 * PIXEL];
    mask(&mut pixels, place, Rect::new(12, 0, 50, 22));
    let seen: Vec<bool> = pixels.chunks(PIXEL).map(|p| p == [MASK; PIXEL]).collect();
    let row = [false, false, true, true];
    assert_eq!(seen, [row, row, [false; 4]].concat());
    let untouched = pixels.clone();
    mask(&mut pixels, place, Rect::new(0, 0, 10, 50));
    assert_eq!(pixels, untouched);
}
