use alidade_wire::{
    draw_args::{self, Place},
    names::{ToolDefinitionCode, check_description, check_tool_name},
    schema::Schema,
};
use serde_json::{Value, json};

use crate::vectors::{cases, exactly, same};

#[test]
fn t6_to_t11_schemas_are_built_as_recorded() {
    for case in cases("tool_schema") {
        match (
            Schema::build(case.input["parameters"].clone()),
            case.expect["ok"].as_bool().unwrap(),
        ) {
            (Ok(schema), true) => {
                assert!(
                    exactly(schema.as_value(), &case.expect["parameters"]),
                    "{}: {}",
                    case.name,
                    schema.as_value()
                );
                let again = Schema::build(schema.as_value().clone()).unwrap();
                assert_eq!(again, schema, "{}: building is idempotent", case.name);
            }
            (Err(fault), false) => assert_eq!(
                case.expect["code"],
                fault.code.as_str(),
                "{}: {fault}",
                case.name
            ),
            (built, _) => panic!("{}: {built:?}", case.name),
        }
    }
}

#[test]
fn t1_to_t5_names_and_descriptions_are_refused_as_recorded() {
    for case in cases("tool_names") {
        let (name, description) = (
            case.input["name"].as_str().unwrap(),
            case.input["description"].as_str().unwrap(),
        );
        let built = check_tool_name(name)
            .and_then(|()| check_description(name, description))
            .and_then(|()| Schema::build(case.input["parameters"].clone()));
        let code = built.err().map(|fault| fault.code.as_str());
        assert_eq!(code, case.expect["code"].as_str(), "{}", case.name);
    }
}

#[test]
fn t12_a_schema_over_8_kib_is_refused() {
    let build = |letters: usize| {
        Schema::build(json!({"type": "object", "description": "d".repeat(letters)}))
    };
    let frame = r#"{"type":"object","description":""}"#.len();
    assert!(build(8192 - frame).is_ok());
    assert_eq!(
        build(8193 - frame).unwrap_err().code,
        ToolDefinitionCode::SchemaTooLarge
    );
}

#[test]
fn definitions_that_multiply_are_refused_and_not_built() {
    let mut defs = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        defs.insert(format!("d{level}"), json!({"anyOf": [next, next, next]}));
    }
    defs.insert("d40".into(), json!({"type": "string"}));
    let schema =
        json!({"type": "object", "$defs": defs, "properties": {"a": {"$ref": "#/$defs/d0"}}});
    assert_eq!(
        Schema::build(schema).unwrap_err().code,
        ToolDefinitionCode::SchemaTooLarge
    );
}

#[test]
fn t13_to_t16_arguments_are_validated_as_recorded() {
    for case in cases("tool_arguments") {
        let schema = Schema::build(case.input["parameters"].clone())
            .unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
        let tool = case.input["tool"].as_str().unwrap();
        match (
            schema.validate(tool, case.input["args"].as_object().unwrap()),
            case.expect["ok"].as_bool().unwrap(),
        ) {
            (Ok(seen), true) => {
                let seen = Value::Object(seen);
                assert!(
                    same(&seen, &case.expect["handler_sees"]),
                    "{}: {seen}",
                    case.name
                );
            }
            (Err(fault), false) => {
                assert_eq!(case.expect["error"], fault.to_string(), "{}", case.name);
                let issues: Vec<Value> = fault
                    .issues
                    .iter()
                    .map(|issue| json!({"path": issue.path, "code": issue.code, "constraint": issue.constraint}))
                    .collect();
                assert_eq!(case.expect["issues"], Value::Array(issues), "{}", case.name);
            }
            (read, _) => panic!("{}: {read:?}", case.name),
        }
    }
}

#[test]
fn a_strict_reader_coerces_nothing() {
    let schema = Schema::build(json!({"type": "object", "properties": {
        "i": {"type": "integer"}, "f": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"},
        "free": {"type": "object"}, "any": {}, "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    }}))
    .unwrap();
    let read = |args: Value| schema.validate("tool", args.as_object().unwrap());
    for bad in [
        json!({"i": "5"}),
        json!({"i": true}),
        json!({"i": 1.5}),
        json!({"f": true}),
        json!({"f": "1"}),
        json!({"b": "yes"}),
        json!({"b": 1}),
        json!({"s": 5}),
        json!({"either": 1.5}),
        json!({"free": []}),
    ] {
        assert!(read(bad.clone()).is_err(), "{bad}");
    }
    for good in [
        json!({"i": 2.0, "f": 3}),
        json!({"free": {"x": [1]}, "any": [null]}),
        json!({"either": "x"}),
    ] {
        assert_eq!(read(good.clone()).map(Value::Object).unwrap(), good);
    }
}

#[test]
fn t47_t48_draw_calls_are_decoded_as_recorded() {
    for case in cases("draw") {
        let args = case.input["args"].as_object().unwrap();
        let decoded = draw_args::decode(case.input["tool"].as_str().unwrap(), args).unwrap();
        let expected = &case.expect["request"];
        let request = match decoded {
            Err(fault) => {
                assert!(
                    fault
                        .to_string()
                        .starts_with(case.input["tool"].as_str().unwrap())
                );
                Value::Null
            }
            Ok(request) => match request.place {
                Place::Box {
                    x,
                    y,
                    width,
                    height,
                } => {
                    json!({"box": {"x": x, "y": y, "width": width, "height": height}, "label": request.label})
                }
                Place::Point { x, y } => json!({"point": {"x": x, "y": y}, "label": request.label}),
            },
        };
        assert!(same(&request, expected), "{}: {request}", case.name);
    }
    let args = json!({"point": {"x": 0.5, "y": 0.5}, "frame": 90_000, "label": 7});
    let request = draw_args::decode_point(args.as_object().unwrap()).unwrap();
    assert_eq!((request.frame, request.label), (Some(90_000), None));
}
