//! Agents, tools, hooks, skills and the session engine over a transport.
