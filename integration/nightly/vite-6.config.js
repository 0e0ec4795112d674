// What docs/bundlers-and-tests.md says for Vite 6: its workers are not modules by default.
export default { worker: { format: 'es' } };
