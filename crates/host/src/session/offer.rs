//! Which tools a session has, and which it starts without (S5).

use alidade_wire::{
    server::RejectedTool,
    start::{ServerTool, ToolBlock},
};
use serde_json::{Value, json};

use crate::brain::{DETECT_OBJECTS, END_CALL, EXAMINE_IMAGE, POINT_AT_OBJECT, ToolDecl};

/// The tools of a session.
pub(super) struct Offer {
    pub(super) tools: Vec<ToolDecl>,
    pub(super) rejected: Vec<RejectedTool>,
}

/// Sorts the declared tools, in declared order.
pub(super) fn offer(declared: &[ToolBlock], has_eyes: bool) -> Offer {
    let mut offer = Offer {
        tools: Vec::new(),
        rejected: Vec::new(),
    };
    for block in declared {
        let accepted = match block {
            ToolBlock::Client(tool) if tool.name == "cosmo_sdk_screen_click_element" => {
                Err("this backend has no desktop-control policy, so nothing may be clicked")
            }
            ToolBlock::Client(tool) => Ok(ToolDecl {
                name: tool.name.clone(),
                description: tool.description.clone(),
                parameters: tool.parameters.clone(),
                server: false,
            }),
            ToolBlock::Server(kind) => server_tool(*kind, has_eyes),
        };
        match accepted {
            Ok(tool) => offer.tools.push(tool),
            Err(reason) => {
                offer.rejected.push(RejectedTool {
                    name: block.name().to_owned(),
                    reason: reason.to_owned(),
                });
            }
        }
    }
    offer
}

fn server_tool(kind: ServerTool, has_eyes: bool) -> Result<ToolDecl, &'static str> {
    let (name, description, parameters) = match kind {
        ServerTool::DetectObjects | ServerTool::PointAtObject | ServerTool::ExamineImage
            if !has_eyes =>
        {
            return Err(
                "the model files that find things in pictures are not installed; `alidade doctor` says where they belong",
            );
        }
        ServerTool::DetectObjects => (
            DETECT_OBJECTS,
            "Finds what the person named in the picture they share and answers with boxes, best first.",
            query(),
        ),
        ServerTool::PointAtObject => (
            POINT_AT_OBJECT,
            "Finds what the person named in the picture they share and answers with points, best first.",
            query(),
        ),
        ServerTool::ExamineImage => (
            EXAMINE_IMAGE,
            "Reads the text of the picture the person shares and names the objects in it.",
            json!({ "type": "object", "properties": { "question": { "type": "string" } } }),
        ),
        ServerTool::EndCall => (
            END_CALL,
            "Ends the session once the goodbye has been said.",
            json!({ "type": "object", "properties": {} }),
        ),
        ServerTool::WebSearch => {
            return Err("this backend works without a network, so it cannot search the web");
        }
        ServerTool::SpeakerLog => return Err("this backend does not tell voices apart"),
        ServerTool::ScreenLocate => {
            return Err(
                "this backend looks at the published picture; use detect_objects or point_at_object",
            );
        }
    };
    Ok(ToolDecl {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
        server: true,
    })
}

fn query() -> Value {
    json!({ "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_wire::start::ClientTool;

    fn client(name: &str) -> ToolBlock {
        ToolBlock::Client(ClientTool {
            name: name.to_owned(),
            description: "It does something.".to_owned(),
            parameters: json!({ "type": "object" }),
        })
    }

    #[test]
    fn s5_what_is_merely_unavailable_is_named_and_the_rest_is_offered_in_order() {
        let declared = [
            ToolBlock::Server(ServerTool::WebSearch),
            client("lookup"),
            ToolBlock::Server(ServerTool::DetectObjects),
            client("cosmo_sdk_screen_click_element"),
            ToolBlock::Server(ServerTool::EndCall),
        ];
        let all = offer(&declared, true);
        let names: Vec<_> = all
            .tools
            .iter()
            .map(|tool| (tool.name.as_str(), tool.server))
            .collect();
        assert_eq!(
            names,
            [("lookup", false), (DETECT_OBJECTS, true), (END_CALL, true)]
        );
        let rejected: Vec<_> = all.rejected.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(rejected, ["web_search", "cosmo_sdk_screen_click_element"]);
        let blind = offer(&declared, false);
        assert!(
            blind
                .rejected
                .iter()
                .any(|tool| tool.name == "detect_objects" && tool.reason.contains("model files"))
        );
    }
}
