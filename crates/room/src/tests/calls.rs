//! Remote procedure calls both ways.

use std::pin::pin;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::{Guest, House, LONG};
use crate::rpc::code;
use crate::{AgentEvent, DisconnectReason, RpcCall, RpcError};

const SHORT: Duration = Duration::from_millis(300);

async fn call_of(house: &mut House) -> RpcCall {
    house
        .until(|event| match event {
            AgentEvent::Call(call) => Some(call),
            _ => None,
        })
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_names_its_caller_and_gets_its_answer() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("echo", "{\"a\":1}".into(), LONG).await });
    let call = guest.calls.recv().await.unwrap();
    assert_eq!(
        (call.method.as_str(), call.payload.as_str()),
        ("echo", "{\"a\":1}")
    );
    assert_eq!(
        call.caller.as_ref().unwrap().kind,
        crate::ParticipantKind::Agent
    );
    assert_eq!(call.response_timeout, LONG);
    call.reply(Ok("yes".into()));
    assert_eq!(asking.await.unwrap(), Ok("yes".into()));

    let room = guest.room.clone();
    let asking =
        tokio::spawn(async move { room.call("agent:1", "anything", "x".into(), LONG).await });
    let call = call_of(&mut house).await;
    assert_eq!(call.caller.as_ref().unwrap().identity, "user:1");
    call.reply(Err(RpcError {
        code: 4_711,
        message: "no".into(),
        data: Some("why".into()),
    }));
    let error = asking.await.unwrap().unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (4_711, "no"));
    assert_eq!(error.data.as_deref(), Some("why"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_gets_exactly_one_answer_also_when_the_handler_fails() {
    let house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let error = house.agent.call("unknown", String::new(), LONG).await;
    assert_eq!(error.unwrap_err().code, code::UNSUPPORTED_METHOD);

    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("echo", String::new(), LONG).await });
    drop(guest.calls.recv().await.unwrap());
    assert_eq!(
        asking.await.unwrap().unwrap_err().code,
        code::APPLICATION_ERROR
    );

    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("echo", String::new(), LONG).await });
    let call = guest.calls.recv().await.unwrap();
    let _ = tokio::spawn(async move {
        let _call = call;
        panic!("a handler that panics");
    })
    .await;
    assert_eq!(
        asking.await.unwrap().unwrap_err().code,
        code::APPLICATION_ERROR
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payloads_have_a_longest_length() {
    let house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let fits = "x".repeat(15_360);
    let long = "x".repeat(15_361);
    let error = house.agent.call("echo", long.clone(), LONG).await;
    assert_eq!(error.unwrap_err().code, code::REQUEST_PAYLOAD_TOO_LARGE);
    let error = guest.room.call("agent:1", "m", long.clone(), LONG).await;
    assert_eq!(error.unwrap_err().code, code::REQUEST_PAYLOAD_TOO_LARGE);

    let agent = house.agent.clone();
    let payload = fits.clone();
    let asking = tokio::spawn(async move { agent.call("echo", payload, LONG).await });
    let call = guest.calls.recv().await.unwrap();
    assert_eq!(call.payload, fits);
    call.reply(Ok(fits.clone()));
    assert_eq!(asking.await.unwrap(), Ok(fits));

    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("echo", String::new(), LONG).await });
    guest.calls.recv().await.unwrap().reply(Ok(long));
    assert_eq!(
        asking.await.unwrap().unwrap_err().code,
        code::RESPONSE_PAYLOAD_TOO_LARGE
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_handler_times_out_and_its_late_answer_harms_nobody() {
    let house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let error = house.agent.call("silent", String::new(), SHORT).await;
    assert_eq!(error.unwrap_err().code, code::RESPONSE_TIMEOUT);
    let mut call = guest.calls.recv().await.unwrap();
    tokio::time::timeout(LONG, call.abandoned())
        .await
        .expect("nobody waits any more");
    call.reply(Ok("late".into()));
    guest.echo();
    assert_eq!(
        house.agent.call("echo", "a".into(), LONG).await,
        Ok("a".into())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_not_there_cannot_be_called() {
    let mut house = House::open().await;
    let error = house.agent.call("echo", String::new(), LONG).await;
    assert_eq!(error.unwrap_err().code, code::RECIPIENT_NOT_FOUND);
    let guest = Guest::join(&house).await;
    let error = guest.room.call("agent:2", "m", String::new(), LONG).await;
    assert_eq!(error.unwrap_err().code, code::RECIPIENT_NOT_FOUND);

    // Gone while the call is open.
    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("silent", String::new(), LONG).await });
    let mut guest = guest;
    let open = guest.calls.recv().await.unwrap();
    let room = guest.room.clone();
    let upward = tokio::spawn(async move { room.call("agent:1", "m", String::new(), LONG).await });
    let held = call_of(&mut house).await;
    guest.room.leave().await;
    assert_eq!(
        asking.await.unwrap().unwrap_err().code,
        code::RECIPIENT_DISCONNECTED
    );
    assert_eq!(
        upward.await.unwrap().unwrap_err().code,
        code::RECIPIENT_DISCONNECTED
    );
    drop((open, held));
    let error = guest.room.call("agent:1", "m", String::new(), LONG).await;
    assert_eq!(error.unwrap_err().code, code::SEND_FAILED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_the_room_ends_open_calls() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    house.ready().await;
    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("silent", String::new(), LONG).await });
    let _open = guest.calls.recv().await.unwrap();
    house.agent.close(DisconnectReason::RoomClosed).await;
    assert_eq!(
        asking.await.unwrap().unwrap_err().code,
        code::RECIPIENT_DISCONNECTED
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_after_a_written_reply_arrives_after_it() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let room = guest.room.clone();
    for round in 0..50 {
        let mut asking = pin!(room.call("agent:1", "m", String::new(), LONG));
        let call = tokio::select! {
            call = call_of(&mut house) => call,
            answer = &mut asking => panic!("answered by nobody: {answer:?}"),
        };
        call.reply_written(Ok("first".into())).await;
        house.agent.send_user("second".into(), None).await.unwrap();
        guest.user().await;
        // One reader takes both off the channel: what it has read of the packet it had read of the
        // response before.
        let answer = asking.now_or_never();
        assert_eq!(answer, Some(Ok("first".into())), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_that_can_no_longer_be_written_keeps_nobody_waiting() {
    let house = House::open().await;
    let mut guest = Guest::join(&house).await;
    assert!(
        house
            .agent
            .call("silent", String::new(), SHORT)
            .await
            .is_err()
    );
    let mut late = guest.calls.recv().await.unwrap();
    tokio::time::timeout(LONG, late.abandoned()).await.unwrap();
    tokio::time::timeout(LONG, late.reply_written(Ok("late".into())))
        .await
        .expect("nobody waits for the caller who gave up");

    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("silent", String::new(), LONG).await });
    let open = guest.calls.recv().await.unwrap();
    guest.room.leave().await;
    tokio::time::timeout(LONG, open.reply_written(Ok("gone".into())))
        .await
        .expect("nobody waits for a room that was left");
    assert!(asking.await.unwrap().is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_keep_their_answers_apart() {
    let house = House::open().await;
    let mut guest = Guest::join(&house).await;
    guest.echo();
    let calls = (0..200).map(|number| {
        let agent = house.agent.clone();
        tokio::spawn(async move { agent.call("echo", number.to_string(), LONG).await })
    });
    for (number, call) in calls.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(call.await.unwrap(), Ok(number.to_string()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_lost_guest_answers_when_it_is_back_is_told_once() {
    use livekit_protocol as proto;
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    let agent = house.agent.clone();
    let asking = tokio::spawn(async move { agent.call("silent", String::new(), LONG).await });
    let _open = guest.calls.recv().await.unwrap();
    let id = house.agent.waiting_calls().remove(0);
    guest.room.leave().await;
    assert_eq!(
        asking.await.unwrap().unwrap_err().code,
        code::RECIPIENT_DISCONNECTED,
        "who called does not wait for what may never come"
    );
    house.left().await;

    let guest = Guest::join(&house).await;
    let respond = async |id: &str, payload: &str| {
        let response = proto::RpcResponse {
            request_id: id.into(),
            value: Some(proto::rpc_response::Value::Payload(payload.into())),
        };
        let packet = proto::DataPacket {
            value: Some(proto::data_packet::Value::RpcResponse(response)),
            ..Default::default()
        };
        guest.room.outbox().send(packet).await.unwrap();
    };
    respond("of nobody", "x").await;
    respond(&id, "done").await;
    respond(&id, "done again").await;
    guest.room.send_user("end".into(), None, &[]).await.unwrap();
    let mut late = Vec::new();
    house
        .until(|event| match event {
            AgentEvent::LateAnswer { method, answer } => {
                late.push((method, answer));
                None
            }
            AgentEvent::User(_) => Some(()),
            _ => None,
        })
        .await;
    assert_eq!(late, [("silent".to_owned(), Ok("done".to_owned()))]);
}
