export {
  compareVectorSearch,
  type VectorSearchOptions,
  type VectorSearchRow,
} from './compare-vector-search.ts';
export { type VectorSearchClaim, vectorSearchClaims } from './vector-search-claims.ts';
export { formatVectorSearch } from './vector-search-table.ts';
