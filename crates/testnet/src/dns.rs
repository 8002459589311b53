//! The name server: hickory's sockets and wire format around the [`Table`] of all zones.

use crate::error::TestnetError;
use crate::log::{DnsQuery, Log, Moment};
use crate::zone::{Reply, ReplyCode, Table, table_key};
use hickory_server::Server;
use hickory_server::net::runtime::Time;
use hickory_server::net::xfer::Protocol;
use hickory_server::proto::op::{Edns, Header, HeaderCounts, Metadata, OpCode, ResponseCode};
use hickory_server::server::{Request, RequestHandler, ResponseHandler, ResponseInfo};
use hickory_server::zone_handler::MessageResponseBuilder;
use std::io;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

/// How long a TCP connection may be idle.
const TCP_IDLE: Duration = Duration::from_secs(10);
/// Responses that may wait in a TCP connection.
const TCP_QUEUE: usize = 32;
/// Largest UDP answer to clients that offer EDNS.
const UDP_SIZE: u16 = 1232;
/// How often a free port is looked for that UDP and TCP can share.
const PORT_ATTEMPTS: usize = 16;

/// Both sockets of a name server, on one port.
#[derive(Debug)]
pub(crate) struct DnsSockets {
    pub(crate) address: SocketAddr,
    udp: UdpSocket,
    tcp: TcpListener,
}

impl DnsSockets {
    /// Binds both; port 0 takes any port that is free for both.
    pub(crate) fn bind(address: SocketAddr) -> Result<DnsSockets, TestnetError> {
        let mut result = bind_both(address);
        for _ in 1..PORT_ATTEMPTS {
            if result.is_ok() || address.port() != 0 {
                break;
            }
            result = bind_both(address);
        }
        result.map_err(|cause| TestnetError::Listen { address, cause })
    }
}

fn bind_both(address: SocketAddr) -> io::Result<DnsSockets> {
    let tcp = TcpListener::bind(address)?;
    let address = tcp.local_addr()?;
    let udp = UdpSocket::bind(address)?;
    tcp.set_nonblocking(true)?;
    udp.set_nonblocking(true)?;
    Ok(DnsSockets { address, udp, tcp })
}

/// A running name server; it ends when dropped.
pub(crate) struct NameServer {
    _server: Server<Authority>,
}

impl NameServer {
    /// Starts serving; must be called inside a tokio runtime.
    pub(crate) fn start(sockets: DnsSockets, table: Arc<Table>, log: Arc<Log>) -> io::Result<Self> {
        let mut server = Server::new(Authority { table, log });
        server.register_socket(tokio::net::UdpSocket::from_std(sockets.udp)?);
        let tcp = tokio::net::TcpListener::from_std(sockets.tcp)?;
        server.register_listener(tcp, TCP_IDLE, TCP_QUEUE);
        Ok(NameServer { _server: server })
    }
}

struct Authority {
    table: Arc<Table>,
    log: Arc<Log>,
}

#[async_trait::async_trait]
impl RequestHandler for Authority {
    async fn handle_request<R: ResponseHandler, T: Time>(
        &self,
        request: &Request,
        mut response_handle: R,
    ) -> ResponseInfo {
        let mut metadata = Metadata::response_from_request(&request.metadata);
        let info = match request.request_info() {
            Ok(info) if request.metadata.op_code == OpCode::Query => info,
            _ => {
                metadata.response_code = ResponseCode::NotImp;
                return answer(request, &mut response_handle, metadata, None).await;
            }
        };
        let name = table_key(info.query.name());
        let reply = self.table.reply(&name, info.query.query_type());
        let code = response_code(reply.code);
        self.log.query(DnsQuery {
            at: Moment::now(),
            name,
            record_type: info.query.query_type().to_string(),
            over_tcp: info.protocol == Protocol::Tcp,
            answered: code.map_or("silence".to_owned(), |code| format!("{code:?}")),
        });
        if !reply.delay.is_zero() {
            tokio::time::sleep(reply.delay).await;
        }
        let Some(code) = code else { return unsent(metadata) };
        metadata.response_code = code;
        metadata.authoritative = matches!(code, ResponseCode::NoError | ResponseCode::NXDomain);
        metadata.recursion_available = true;
        answer(request, &mut response_handle, metadata, Some(&reply)).await
    }
}

async fn answer<R: ResponseHandler>(
    request: &Request,
    handle: &mut R,
    metadata: Metadata,
    reply: Option<&Reply>,
) -> ResponseInfo {
    let mut edns = Edns::new();
    edns.set_max_payload(UDP_SIZE);
    let mut builder = MessageResponseBuilder::from_message_request(request);
    if request.edns.is_some() {
        builder.edns(&edns);
    }
    let answers = reply.into_iter().flat_map(|reply| &reply.answers);
    let soa = reply.into_iter().flat_map(|reply| &reply.soa);
    let response = builder.build(metadata, answers, soa, [], []);
    handle.send_response(response).await.unwrap_or_else(|cause| {
        tracing::debug!(%cause, "cannot send a DNS answer");
        unsent(metadata)
    })
}

fn unsent(metadata: Metadata) -> ResponseInfo {
    ResponseInfo::from(Header { metadata, counts: HeaderCounts::default() })
}

fn response_code(code: ReplyCode) -> Option<ResponseCode> {
    match code {
        ReplyCode::NoError => Some(ResponseCode::NoError),
        ReplyCode::NoSuchName => Some(ResponseCode::NXDomain),
        ReplyCode::ServerFailure => Some(ResponseCode::ServFail),
        ReplyCode::Refused => Some(ResponseCode::Refused),
        ReplyCode::Silence => None,
    }
}
