export {
  createMastraLiveScorer,
  createMastraScorer,
  fromMastra,
  type MastraCallbacks,
  type MastraLiveScorer,
  type MastraRun,
  type MastraScorerConfig,
  type MastraScorerOptions,
} from '@kp/integrations/mastra';
