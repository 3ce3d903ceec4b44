//! The sockets under a peer connection: large buffers, a handshake that is repeated until it is
//! answered, and in tests bad weather.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use webrtc::runtime::{
    AsyncInterval, AsyncTcpListener, AsyncTcpStream, AsyncUdpSocket, JoinHandle, Runtime,
    TokioRuntime,
};

use super::flights::Persistent;

/// Asked for on every socket; the system grants what it allows. A key picture of a large screen
/// is a burst of a thousand datagrams.
const SOCKET_BUFFER_BYTES: usize = 4 << 20;

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Tokio, with every UDP socket prepared on its way in.
#[derive(Debug)]
pub(crate) struct Sockets {
    #[cfg(test)]
    pub(crate) weather: Option<Arc<super::weather::Weather>>,
}

impl Runtime for Sockets {
    fn spawn(&self, future: Pin<Box<dyn Future<Output = ()> + Send>>) -> Box<dyn JoinHandle> {
        TokioRuntime.spawn(future)
    }

    fn wrap_udp_socket(&self, socket: UdpSocket) -> io::Result<Arc<dyn AsyncUdpSocket>> {
        let options = socket2::SockRef::from(&socket);
        // Best effort: a smaller buffer works too, it only loses more.
        let _ = options.set_recv_buffer_size(SOCKET_BUFFER_BYTES);
        let _ = options.set_send_buffer_size(SOCKET_BUFFER_BYTES);
        let socket = TokioRuntime.wrap_udp_socket(socket)?;
        #[cfg(test)]
        let socket = match &self.weather {
            Some(weather) => Arc::new(super::weather::Stormy::new(socket, weather.clone())),
            None => socket,
        };
        Ok(Arc::new(Persistent::new(socket)))
    }

    fn wrap_tcp_listener(&self, listener: TcpListener) -> io::Result<Arc<dyn AsyncTcpListener>> {
        TokioRuntime.wrap_tcp_listener(listener)
    }

    fn connect_tcp<'a>(&'a self, to: SocketAddr) -> Boxed<'a, io::Result<Arc<dyn AsyncTcpStream>>> {
        static TOKIO: TokioRuntime = TokioRuntime;
        TOKIO.connect_tcp(to)
    }

    fn resolve_host<'a>(&'a self, host: &'a str) -> Boxed<'a, io::Result<Vec<SocketAddr>>> {
        // The runtime is a unit value; a static one lends itself for as long as needed.
        static TOKIO: TokioRuntime = TokioRuntime;
        TOKIO.resolve_host(host)
    }

    fn sleep(&self, duration: Duration) -> Boxed<'static, ()> {
        TokioRuntime.sleep(duration)
    }

    fn interval(&self, period: Duration) -> Box<dyn AsyncInterval> {
        TokioRuntime.interval(period)
    }

    fn block_on(&self, future: Pin<Box<dyn Future<Output = ()> + '_>>) {
        TokioRuntime.block_on(future);
    }

    fn yield_now(&self) -> Boxed<'static, ()> {
        TokioRuntime.yield_now()
    }

    fn name(&self) -> &'static str {
        "tokio"
    }
}
