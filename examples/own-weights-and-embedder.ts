// How do I set weights for my own domain, and use my own embedding model?
import { createScorer, type Embedder, parseTrace } from '@knowledgepulse/sdk';

/**
 * A placeholder for your own model: it counts letters. Any function that converts texts to vectors
 * works.
 */
const letterCounts: Embedder = {
  id: 'letter-counts-v1',
  dimensions: 26,
  async embed(texts) {
    return texts.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text.toLowerCase()) {
        const place = letter.charCodeAt(0) - 97;
        if (place >= 0 && place < 26) vector[place] = (vector[place] ?? 0) + 1;
      }
      return { vector, truncated: false };
    });
  },
};

const scorer = createScorer({
  embedder: letterCounts,
  profiles: {
    'legal-research': { complexity: 0.1, novelty: 0.2, toolDiversity: 0.1, outcomeConfidence: 0.6 },
  },
});

const lines = (await Bun.file(new URL('traces/general.jsonl', import.meta.url)).text())
  .trim()
  .split('\n');
for (const line of lines) {
  const trace = parseTrace(JSON.parse(line));
  if (trace.metadata.task_domain !== 'legal-research') continue;
  const { score, profile, dimensions } = await scorer.evaluate(trace);
  console.log(score.toFixed(3), profile, dimensions.novelty.toFixed(3), trace.id);
}

// Prints:
// 0.749 legal-research 0.500 kp:trace:legal-nda-term-halden
// 0.665 legal-research 0.022 kp:trace:legal-nda-term-orrin
