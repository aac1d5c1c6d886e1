//! The connections that are open, of which there is a bound. When it is reached, the oldest one that has not shown the
//! token of the page makes room: so strangers cannot keep the page out, however many they are.

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most connections at once. A browser opens six to a server, and a page keeps one for each search.
const MOST: usize = 64;

/// The open connections.
#[derive(Debug, Default, Clone)]
pub struct Connections(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    /// The oldest first.
    slots: Vec<Slot>,
    next: u64,
}

#[derive(Debug)]
struct Slot {
    number: u64,
    stream: TcpStream,
    /// Whether a request with the token is being answered.
    is_trusted: bool,
}

/// A place among the open connections, free again when this is dropped.
#[derive(Debug)]
pub struct Place {
    open: Connections,
    number: u64,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection; `None` if all are taken by requests of the page.
    pub fn admit(&self, stream: &TcpStream) -> Option<Place> {
        let stream = stream.try_clone().ok()?;
        let mut open = self.open();
        if open.slots.len() >= MOST {
            let oldest = open.slots.iter().position(|slot| !slot.is_trusted)?;
            close(&open.slots.remove(oldest).stream);
        }
        let number = open.next;
        open.next += 1;
        open.slots.push(Slot { number, stream, is_trusted: false });
        drop(open);
        Some(Place { open: self.clone(), number })
    }

    /// Ends all connections.
    pub fn close_all(&self) {
        self.open().slots.iter().for_each(|slot| close(&slot.stream));
    }

    /// Ends those on which no request of the page is being answered.
    pub fn close_idle(&self) {
        let open = self.open();
        let idle = open.slots.iter().filter(|slot| !slot.is_trusted);
        idle.for_each(|slot| close(&slot.stream));
    }

    /// Whether a request of the page is being answered.
    pub fn is_any_trusted(&self) -> bool {
        self.open().slots.iter().any(|slot| slot.is_trusted)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.open().slots.len()
    }
}

/// Ends a connection, on which a thread may be waiting.
fn close(stream: &TcpStream) {
    // It may have gone already.
    let _ = stream.shutdown(Shutdown::Both);
}

impl Place {
    /// Says whether a request with the token is being answered now.
    pub fn set_trusted(&self, is_trusted: bool) {
        let mut open = self.open.open();
        if let Some(slot) = open.slots.iter_mut().find(|slot| slot.number == self.number) {
            slot.is_trusted = is_trusted;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.open().slots.retain(|slot| slot.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;

    #[test]
    fn strangers_make_room_and_the_page_stays() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Connections::default();
        let mut clients = Vec::new();
        let mut connect = || {
            clients.push(TcpStream::connect(address).expect("a connection"));
            listener.accept().expect("the other end").0
        };
        let streams: Vec<TcpStream> = (0..MOST).map(|_| connect()).collect();
        let admitted = streams.iter().map(|stream| connections.admit(stream));
        let places: Vec<Place> = admitted.collect::<Option<_>>().expect("places");
        places[0].set_trusted(true);
        let another = connect();
        let place = connections.admit(&another).expect("the second makes room");
        assert_eq!(connections.count(), MOST);
        assert_eq!((&streams[1]).read(&mut [0]).ok(), Some(0));
        places.iter().chain([&place]).for_each(|place| place.set_trusted(true));
        assert!(connections.admit(&connect()).is_none());
        drop(place);
        assert!(connections.admit(&connect()).is_some());
    }
}
