import { mount } from "svelte";

import { tauri } from "../lib/tauri";
import "./main.css";
import Window from "./Window.svelte";

mount(Window, { target: document.body, props: { bridge: tauri } });
