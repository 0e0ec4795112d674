export { compareVectorSearch, type VectorSearchRow } from './compare-vector-search.ts';
export { vectorSearchClaims } from './vector-search-claims.ts';
export { formatVectorSearch } from './vector-search-table.ts';
