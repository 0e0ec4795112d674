/** The languages of the site; pages that have no translation are shown in English. */
export const LANGUAGES = ['en', 'zh', 'ja', 'ko', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The pages of the sidebar, by the key of their title, under the key of their section. */
export const SECTIONS = {
  begin: ['start', 'how-a-score-comes-about', 'scores'],
  depth: ['embedders', 'memory'],
  recordings: ['formats', 'packages/cli', 'report', 'playground'],
  choose: ['curation', 'sharing'],
  live: ['integrations', 'mcp', 'bundlers-and-tests'],
  more: ['benchmarks', 'reference/'],
} as const;

export type SectionKey = keyof typeof SECTIONS;
export type PageKey = (typeof SECTIONS)[SectionKey][number];

/** What the site itself says in one language. */
export interface Texts {
  readonly label: string;
  readonly lang: string;
  readonly tagline: string;
  readonly sections: Readonly<Record<SectionKey, string>>;
  readonly pages: Readonly<Record<PageKey, string>>;
  /** Marks a page that is in English only. */
  readonly inEnglish: string;
  /** On a translation whose English page has changed since. */
  readonly stale: string;
  readonly toEnglish: string;
  readonly outline: string;
  readonly previous: string;
  readonly next: string;
  readonly menu: string;
  readonly toTop: string;
  readonly language: string;
  readonly theme: string;
  readonly light: string;
  readonly dark: string;
  readonly skip: string;
  readonly search: string;
  readonly noResults: string;
  readonly reset: string;
  readonly details: string;
  readonly toSelect: string;
  readonly toNavigate: string;
  readonly toClose: string;
  readonly notFound: string;
  readonly toStart: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    label: 'English',
    lang: 'en',
    tagline:
      'Score recorded agent runs: one number in [0, 1] with its whole derivation. No language model judges the run, and nothing leaves your machine.',
    sections: {
      begin: 'First steps',
      depth: 'Novelty',
      recordings: 'Recordings',
      choose: 'Choose and share',
      live: 'Agents and tools',
      more: 'Figures and API',
    },
    pages: {
      start: 'Get started',
      'how-a-score-comes-about': 'One score step by step',
      scores: 'Scores explained',
      embedders: 'Choose an embedder',
      memory: 'Memories',
      formats: 'Recording formats',
      'packages/cli': 'The command kp',
      report: 'Read the report',
      playground: 'Playground',
      curation: 'Choose runs',
      sharing: 'Share traces',
      integrations: 'Live agents',
      mcp: 'MCP server',
      'bundlers-and-tests': 'Bundlers and test runners',
      benchmarks: 'Benchmarks',
      'reference/': 'API reference',
    },
    inEnglish: 'in English',
    stale: '',
    toEnglish: '',
    outline: 'On this page',
    previous: 'Previous page',
    next: 'Next page',
    menu: 'Menu',
    toTop: 'Return to top',
    language: 'Change language',
    theme: 'Appearance',
    light: 'Switch to light theme',
    dark: 'Switch to dark theme',
    skip: 'Skip to content',
    search: 'Search',
    noResults: 'No results for',
    reset: 'Reset search',
    details: 'Show details',
    toSelect: 'to select',
    toNavigate: 'to navigate',
    toClose: 'to close',
    notFound: 'There is no such page.',
    toStart: 'To the first page',
  },
  zh: {
    label: '简体中文',
    lang: 'zh-CN',
    tagline:
      '一次智能体运行记录值多少分？一个 [0, 1] 之间的分数，附带完整的推导过程。不用模型当裁判，数据不离开本机。',
    sections: {
      begin: '第一个分数',
      depth: '新颖性',
      recordings: '运行记录',
      choose: '筛选',
      live: '智能体与工具',
      more: '数据与接口',
    },
    pages: {
      start: '快速开始',
      'how-a-score-comes-about': '一步一步看一个分数',
      scores: '分数详解',
      embedders: '选择嵌入器',
      memory: '记忆存储',
      formats: '记录格式',
      'packages/cli': '命令 kp',
      report: '阅读报告',
      playground: '在浏览器中试用',
      curation: '选择运行',
      sharing: '分享轨迹',
      integrations: '运行中的智能体',
      mcp: 'MCP 服务器',
      'bundlers-and-tests': '打包工具与测试',
      benchmarks: '基准测试',
      'reference/': 'API 参考',
    },
    inEnglish: '英文',
    stale: '本页译文落后于英文原文，内容可能已有变化。',
    toEnglish: '查看英文原文',
    outline: '本页目录',
    previous: '上一页',
    next: '下一页',
    menu: '菜单',
    toTop: '回到顶部',
    language: '切换语言',
    theme: '外观',
    light: '切换到浅色主题',
    dark: '切换到深色主题',
    skip: '跳转到正文',
    search: '搜索',
    noResults: '没有找到',
    reset: '清除搜索',
    details: '显示详情',
    toSelect: '选择',
    toNavigate: '切换',
    toClose: '关闭',
    notFound: '没有这个页面。',
    toStart: '回到首页',
  },
  ja: {
    label: '日本語',
    lang: 'ja',
    tagline:
      '記録されたエージェントの実行には、どれだけの価値があるか。[0, 1] のスコア 1 つと、その導出過程のすべてを示します。モデルに判定させず、データは手元のマシンから出ません。',
    sections: {
      begin: '最初のスコア',
      depth: '新規性',
      recordings: '実行記録',
      choose: '選別',
      live: 'エージェントとツール',
      more: '数値と API',
    },
    pages: {
      start: 'はじめに',
      'how-a-score-comes-about': 'スコアの算出を順に追う',
      scores: 'スコアの解説',
      embedders: 'エンベッダーの選び方',
      memory: 'メモリ',
      formats: '記録の形式',
      'packages/cli': 'コマンド kp',
      report: 'レポートの読み方',
      playground: 'プレイグラウンド',
      curation: '実行の選び方',
      sharing: 'トレースの共有',
      integrations: '動作中のエージェント',
      mcp: 'MCP サーバー',
      'bundlers-and-tests': 'バンドラーとテスト',
      benchmarks: 'ベンチマーク',
      'reference/': 'API リファレンス',
    },
    inEnglish: '英語',
    stale: 'この翻訳は英語版の更新に追いついていません。内容が古い可能性があります。',
    toEnglish: '英語版を読む',
    outline: 'このページの内容',
    previous: '前のページ',
    next: '次のページ',
    menu: 'メニュー',
    toTop: 'ページの先頭へ',
    language: '言語を切り替える',
    theme: '外観',
    light: 'ライトテーマに切り替える',
    dark: 'ダークテーマに切り替える',
    skip: '本文へ移動',
    search: '検索',
    noResults: '見つかりませんでした：',
    reset: '検索をリセット',
    details: '詳細を表示',
    toSelect: '選択',
    toNavigate: '移動',
    toClose: '閉じる',
    notFound: 'このページはありません。',
    toStart: '最初のページへ',
  },
  ko: {
    label: '한국어',
    lang: 'ko',
    tagline:
      '기록된 에이전트 실행은 얼마나 가치가 있을까요? [0, 1] 사이의 점수 하나와 전체 도출 과정을 보여 줍니다. 모델에 판정을 맡기지 않으며, 데이터는 컴퓨터 밖으로 나가지 않습니다.',
    sections: {
      begin: '첫 점수',
      depth: '참신성',
      recordings: '실행 기록',
      choose: '선별',
      live: '에이전트와 도구',
      more: '수치와 API',
    },
    pages: {
      start: '시작하기',
      'how-a-score-comes-about': '점수 하나를 단계별로',
      scores: '점수 해설',
      embedders: '임베더 선택',
      memory: '메모리',
      formats: '기록 형식',
      'packages/cli': 'kp 명령',
      report: '보고서 읽기',
      playground: '플레이그라운드',
      curation: '실행 선별',
      sharing: '트레이스 공유',
      integrations: '동작 중인 에이전트',
      mcp: 'MCP 서버',
      'bundlers-and-tests': '번들러와 테스트',
      benchmarks: '벤치마크',
      'reference/': 'API 레퍼런스',
    },
    inEnglish: '영어',
    stale: '이 번역은 영어 원문의 최근 변경을 아직 반영하지 않았습니다.',
    toEnglish: '영어 원문 보기',
    outline: '이 페이지의 내용',
    previous: '이전 페이지',
    next: '다음 페이지',
    menu: '메뉴',
    toTop: '맨 위로',
    language: '언어 바꾸기',
    theme: '화면 테마',
    light: '밝은 테마로 전환',
    dark: '어두운 테마로 전환',
    skip: '본문으로 건너뛰기',
    search: '검색',
    noResults: '검색 결과 없음:',
    reset: '검색 초기화',
    details: '자세히 보기',
    toSelect: '선택',
    toNavigate: '이동',
    toClose: '닫기',
    notFound: '없는 페이지입니다.',
    toStart: '첫 페이지로',
  },
  es: {
    label: 'Español',
    lang: 'es',
    tagline:
      '¿Cuánto vale la ejecución grabada de un agente? Un número en [0, 1], con toda su derivación. Ningún modelo hace de juez y nada sale de la máquina.',
    sections: {
      begin: 'La primera puntuación',
      depth: 'Novedad',
      recordings: 'Registros',
      choose: 'Selección',
      live: 'Agentes y herramientas',
      more: 'Cifras y API',
    },
    pages: {
      start: 'Primeros pasos',
      'how-a-score-comes-about': 'Una puntuación paso a paso',
      scores: 'La puntuación explicada',
      embedders: 'Elegir un embedder',
      memory: 'Memorias',
      formats: 'Formatos de registro',
      'packages/cli': 'El comando kp',
      report: 'Leer el informe',
      playground: 'Probar en el navegador',
      curation: 'Elegir ejecuciones',
      sharing: 'Compartir trazas',
      integrations: 'Agentes en vivo',
      mcp: 'Servidor MCP',
      'bundlers-and-tests': 'Empaquetadores y pruebas',
      benchmarks: 'Pruebas de rendimiento',
      'reference/': 'Referencia de la API',
    },
    inEnglish: 'en inglés',
    stale: 'La página original en inglés ha cambiado desde que se hizo esta traducción.',
    toEnglish: 'Ver el original en inglés',
    outline: 'En esta página',
    previous: 'Página anterior',
    next: 'Página siguiente',
    menu: 'Menú',
    toTop: 'Volver arriba',
    language: 'Cambiar de idioma',
    theme: 'Apariencia',
    light: 'Cambiar al tema claro',
    dark: 'Cambiar al tema oscuro',
    skip: 'Saltar al contenido',
    search: 'Buscar',
    noResults: 'Sin resultados para',
    reset: 'Borrar la búsqueda',
    details: 'Mostrar detalles',
    toSelect: 'elegir',
    toNavigate: 'moverse',
    toClose: 'cerrar',
    notFound: 'Esta página no existe.',
    toStart: 'A la primera página',
  },
};
