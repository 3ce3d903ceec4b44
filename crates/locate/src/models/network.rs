//! A network and the threads it may use.

use std::sync::{Arc, OnceLock};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};

use crate::LocateError;

/// What came out, in the order of the network's outputs.
type Values = Vec<Value>;

/// Threads all networks share: answering must not take the whole machine.
const THREADS: usize = 2;

/// A loaded network. Running it does not change it.
pub(crate) struct Network {
    model: Model,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
}

impl Network {
    /// From the bytes of an ONNX file.
    pub(crate) fn load(bytes: Vec<u8>) -> Result<Self, String> {
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load(bytes)
            .map_err(|e| e.to_string())?;
        let (inputs, outputs) = (model.input_ids().to_vec(), model.output_ids().to_vec());
        Ok(Self {
            model,
            inputs,
            outputs,
        })
    }

    /// Names of the inputs, in the order [`Network::run`] takes them.
    pub(crate) fn input_names(&self) -> Vec<String> {
        let name = |id: &NodeId| {
            self.model
                .node_info(*id)
                .and_then(|n| n.name().map(str::to_owned))
        };
        self.inputs
            .iter()
            .map(|id| name(id).unwrap_or_default())
            .collect()
    }

    /// Runs it on inputs in the network's order; gives all outputs in the network's order.
    pub(crate) fn run(&self, inputs: Vec<ValueOrView<'_>>) -> Result<Values, LocateError> {
        let named = self.inputs.iter().copied().zip(inputs).collect();
        let options = RunOptions::default().with_thread_pool(Some(threads()));
        self.model
            .run(named, &self.outputs, Some(options))
            .map_err(LocateError::inference)
    }
}

fn threads() -> Arc<ThreadPool> {
    static POOL: OnceLock<Arc<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Arc::new(ThreadPool::with_num_threads(cores.min(THREADS)))
    })
    .clone()
}
