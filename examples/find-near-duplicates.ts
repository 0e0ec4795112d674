// Which texts say nearly the same? Uses the cosine memory and an embedder, without any scoring.
import { createLexicalEmbedder, VectorCache } from '@knowledgepulse/sdk';

const tickets = [
  'The export to CSV fails with a timeout for large projects',
  'Cannot log in after changing my password',
  'Export to CSV times out when the project is large',
  'Dark mode makes the chart labels unreadable',
  'After changing my password I cannot log in any more',
];

const embedder = createLexicalEmbedder();
const seen = new VectorCache({ dimensions: embedder.dimensions, maxElements: 10_000 });

for (const [index, { vector }] of (await embedder.embed(tickets)).entries()) {
  const nearest = seen.nearest(vector);
  if (nearest !== undefined && nearest.similarity > 0.4) {
    console.log(
      `${index} is like ${nearest.key} (${nearest.similarity.toFixed(2)}): ${tickets[index]}`,
    );
  }
  seen.add(vector, String(index));
}

// Prints:
// 2 is like 0 (0.62): Export to CSV times out when the project is large
// 4 is like 1 (0.89): After changing my password I cannot log in any more
