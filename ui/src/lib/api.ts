// Written from crates/app/src/api/view.rs by its tests. Do not edit.

/**
 * What went wrong, for a person.
 */
export type Trouble = {
/**
 * What happened and what to do next, as sentences.
 */
says: string, };

/**
 * The server that answers.
 */
export type BackendView = { "state": "starting" } | { "state": "local" } | { "state": "failed",
/**
 * Why.
 */
trouble: Trouble, };

/**
 * The session with the agent.
 */
export type SessionView = { "state": "idle" } | { "state": "starting" } | { "state": "ready" } | { "state": "ended",
/**
 * Why, where it did not end by itself.
 */
trouble: Trouble | null, };

/**
 * An agent one can choose.
 */
export type AgentView = {
/**
 * Its name, unique.
 */
name: string,
/**
 * One line.
 */
description: string,
/**
 * Why it cannot be chosen: every fault with file, line and a sentence.
 */
faults: Array<string>, };

/**
 * What kind of thing is looked at.
 */
export type SourceKind = "picture" | "folder" | "video" | "camera" | "screen" | "window";

/**
 * How a source is doing.
 */
export type SourceState = { "state": "opening" } | { "state": "showing" } | { "state": "ended",
/**
 * Why, where it is not simply at its end.
 */
trouble: Trouble | null, };

/**
 * What is looked at, and sent to the agent while a session lives.
 */
export type SourceView = {
/**
 * Grows with every source; pictures carry it.
 */
id: number,
/**
 * What kind it is.
 */
kind: SourceKind,
/**
 * What the person calls it; empty where it has no name of its own.
 */
name: string, } & ({ "state": "opening" } | { "state": "showing" } | { "state": "ended",
/**
 * Why, where it is not simply at its end.
 */
trouble: Trouble | null, });

/**
 * How a tool call is doing.
 */
export type ToolOutcome = "running" | "done" | "failed" | "cut";

/**
 * What stands in a conversation.
 */
export type EntryView = { "kind": "asked",
/**
 * In these words.
 */
text: string, } | { "kind": "said",
/**
 * So far.
 */
text: string,
/**
 * Whether more comes.
 */
done: boolean, } | { "kind": "tool",
/**
 * Its name on the wire.
 */
name: string,
/**
 * How it is doing.
 */
outcome: ToolOutcome,
/**
 * How long it took, once it is over.
 */
tookMs: number | null,
/**
 * What it came to, in a line.
 */
summary: string | null, } | { "kind": "trouble",
/**
 * What.
 */
trouble: Trouble, };

/**
 * One thing in the conversation, in order.
 */
export type Entry = {
/**
 * Unique in the application's life.
 */
id: string, } & ({ "kind": "asked",
/**
 * In these words.
 */
text: string, } | { "kind": "said",
/**
 * So far.
 */
text: string,
/**
 * Whether more comes.
 */
done: boolean, } | { "kind": "tool",
/**
 * Its name on the wire.
 */
name: string,
/**
 * How it is doing.
 */
outcome: ToolOutcome,
/**
 * How long it took, once it is over.
 */
tookMs: number | null,
/**
 * What it came to, in a line.
 */
summary: string | null, } | { "kind": "trouble",
/**
 * What.
 */
trouble: Trouble, });

/**
 * A place in the picture.
 */
export type ShapeView = { "shape": "box",
/**
 * Left edge.
 */
x: number,
/**
 * Upper edge.
 */
y: number,
/**
 * Extent to the right.
 */
width: number,
/**
 * Extent downwards.
 */
height: number, } | { "shape": "point",
/**
 * From the left.
 */
x: number,
/**
 * From above.
 */
y: number, };

/**
 * A mark on the picture.
 */
export type MarkView = {
/**
 * Unique in a session.
 */
id: number,
/**
 * What is written beside it.
 */
label: string | null,
/**
 * 1 for full, towards 0 as it fades.
 */
strength: number,
/**
 * Whether it belongs to the newest answer.
 */
newest: boolean, } & ({ "shape": "box",
/**
 * Left edge.
 */
x: number,
/**
 * Upper edge.
 */
y: number,
/**
 * Extent to the right.
 */
width: number,
/**
 * Extent downwards.
 */
height: number, } | { "shape": "point",
/**
 * From the left.
 */
x: number,
/**
 * From above.
 */
y: number, });

/**
 * Everything there is to see at one moment.
 */
export type Snapshot = {
/**
 * Changes up to this number are in it.
 */
revision: number,
/**
 * The server that answers.
 */
backend: BackendView,
/**
 * The session.
 */
session: SessionView,
/**
 * Agents one can choose.
 */
agents: Array<AgentView>,
/**
 * The chosen one's name.
 */
agent: string,
/**
 * What is looked at.
 */
source: SourceView | null,
/**
 * The conversation, oldest first.
 */
entries: Array<Entry>,
/**
 * The marks, oldest first: the newest is painted on top.
 */
marks: Array<MarkView>,
/**
 * Whether an answer is on its way.
 */
thinking: boolean, };

/**
 * Something that is otherwise now.
 */
export type Change = { "what": "backend",
/**
 * Now.
 */
backend: BackendView, } | { "what": "session",
/**
 * Now.
 */
session: SessionView, } | { "what": "agents",
/**
 * All of them.
 */
agents: Array<AgentView>,
/**
 * The chosen one's name.
 */
agent: string, } | { "what": "source",
/**
 * Now.
 */
source: SourceView | null, } | { "what": "entry",
/**
 * The entry.
 */
entry: Entry, } | { "what": "more",
/**
 * Of which entry.
 */
id: string,
/**
 * What comes after what was there.
 */
text: string, } | { "what": "marks",
/**
 * All of them, oldest first.
 */
marks: Array<MarkView>, } | { "what": "thinking",
/**
 * Now.
 */
thinking: boolean, };

/**
 * A change with its place among all changes.
 */
export type Event = {
/**
 * Counts up by one.
 */
revision: number, } & ({ "what": "backend",
/**
 * Now.
 */
backend: BackendView, } | { "what": "session",
/**
 * Now.
 */
session: SessionView, } | { "what": "agents",
/**
 * All of them.
 */
agents: Array<AgentView>,
/**
 * The chosen one's name.
 */
agent: string, } | { "what": "source",
/**
 * Now.
 */
source: SourceView | null, } | { "what": "entry",
/**
 * The entry.
 */
entry: Entry, } | { "what": "more",
/**
 * Of which entry.
 */
id: string,
/**
 * What comes after what was there.
 */
text: string, } | { "what": "marks",
/**
 * All of them, oldest first.
 */
marks: Array<MarkView>, } | { "what": "thinking",
/**
 * Now.
 */
thinking: boolean, });

/**
 * A camera as it is offered.
 */
export type CameraOffer = {
/**
 * Its number.
 */
index: number,
/**
 * What its maker calls it.
 */
name: string, };

/**
 * A monitor as it is offered.
 */
export type MonitorOffer = {
/**
 * The name of its output.
 */
name: string,
/**
 * In pixels.
 */
width: number,
/**
 * In pixels.
 */
height: number, };

/**
 * A window of another program as it is offered.
 */
export type WindowOffer = {
/**
 * What the system calls it.
 */
id: number,
/**
 * What stands in its title bar.
 */
title: string,
/**
 * The program, as it names itself.
 */
program: string, };

/**
 * What of the screen can be shown.
 */
export type ScreenOffers = {
/**
 * The monitors, the first one first.
 */
monitors: Array<MonitorOffer>,
/**
 * Windows of other programs, the uppermost first.
 */
windows: Array<WindowOffer>, };

/**
 * What a face may ask to be shown by itself. Files are not among it: they come from the person's own hand, by
 * dialog, drop, paste or command line.
 */
export type Wanted = { "kind": "camera",
/**
 * Its number.
 */
index: number, } | { "kind": "screen" } | { "kind": "monitor",
/**
 * The name of its output.
 */
name: string, } | { "kind": "window",
/**
 * What the system calls it.
 */
id: number, };
