import '@kp/embedder/worker';
