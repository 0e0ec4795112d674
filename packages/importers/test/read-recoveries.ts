/**
 * A derived recovery of a real run, reviewed by a person: how the step reacts to the error before
 * it.
 */
export interface ReadRecovery {
  /** Name of the recording without its extensions. */
  readonly recording: string;
  readonly instance: string;
  readonly step: number;
  readonly sign: string;
  /** Whether it is a recovery: the agent tries something else for the same purpose. */
  readonly isRecovery: boolean;
  readonly because: string;
}

type Row = readonly [
  instance: string,
  step: number,
  sign: string,
  verdict: 'yes' | 'no',
  because: string,
];

/** Every third of the recoveries derived from the recordings of mini-swe-agent, the first forty. */
const DEV: readonly Row[] = [
  [
    'marshmallow-code__marshmallow-1343',
    12,
    "ModuleNotFoundError: No module named 'ma",
    'yes',
    'installs the missing package',
  ],
  [
    'pvlib__pvlib-python-1154',
    29,
    "ModuleNotFoundError: No module named 'nu",
    'yes',
    'installs numpy and runs the script again',
  ],
  [
    'pvlib__pvlib-python-1707',
    128,
    'IndentationError: unexpected indent',
    'yes',
    'fixes the line with the wrong indentation',
  ],
  [
    'pydicom__pydicom-1139',
    89,
    'SyntaxError: f-string: empty expression ',
    'yes',
    'writes the script again without the empty expression',
  ],
  [
    'pydicom__pydicom-1256',
    94,
    "ValueError: Unknown format code 'X' for ",
    'yes',
    'writes the script again with a print that works',
  ],
  [
    'pydicom__pydicom-1413',
    208,
    '/opt/miniconda3/bin/python: No module na',
    'yes',
    'runs the test without pytest',
  ],
  [
    'pydicom__pydicom-1694',
    124,
    '============================ no tests ra',
    'yes',
    'looks up the name of the test',
  ],
  [
    'pydicom__pydicom-901',
    129,
    '/opt/miniconda3/bin/python3: No module n',
    'yes',
    'installs pytest',
  ],
  [
    'pylint-dev__astroid-1196',
    76,
    'IndexError: list index out of range',
    'yes',
    'fixes the index in its script',
  ],
  [
    'pylint-dev__astroid-1333',
    9,
    'bash: line 1: tree: command not found',
    'yes',
    'lists the files with find instead of tree',
  ],
  [
    'pylint-dev__astroid-1333',
    370,
    'IndentationError: unexpected indent',
    'yes',
    'fixes the indentation of its patch',
  ],
  [
    'pylint-dev__astroid-1333',
    454,
    'error: patch failed: astroid/modutils.py',
    'yes',
    'reads the lines to create a patch that applies',
  ],
  [
    'pylint-dev__astroid-1978',
    14,
    "ModuleNotFoundError: No module named 'nu",
    'yes',
    'installs numpy',
  ],
  [
    'pyvista__pyvista-4315',
    37,
    "ImportError: cannot import name 'vtkComp",
    'yes',
    'tests without the import that fails',
  ],
  [
    'sqlfluff__sqlfluff-1517',
    138,
    'UnboundLocalError: cannot access local v',
    'yes',
    'moves its debug prints',
  ],
  [
    'sqlfluff__sqlfluff-1517',
    234,
    'TypeError: ParseContext.__init__() missi',
    'yes',
    'drops the script and reads the code instead',
  ],
  [
    'sqlfluff__sqlfluff-1625',
    62,
    "AttributeError: 'FromExpressionElementSe",
    'yes',
    'fixes the attribute in its script',
  ],
  [
    'sqlfluff__sqlfluff-1625',
    121,
    'error: patch failed: src/sqlfluff/rules/',
    'yes',
    'reads the lines to create a patch that applies',
  ],
  [
    'sqlfluff__sqlfluff-1763',
    122,
    'patch: **** malformed patch at line 35: ',
    'no',
    'assumes that the rejected patch applied and continues with something else',
  ],
  [
    'sqlfluff__sqlfluff-1763',
    188,
    "AttributeError: 'LintedFile' object attr",
    'yes',
    'tests without setting the read-only attribute',
  ],
  [
    'sqlfluff__sqlfluff-2419',
    40,
    'bash: line 1: sqlfluff: command not foun',
    'yes',
    'looks for the program and installs it',
  ],
];
const RERUN: readonly Row[] = [
  [
    'marshmallow-code__marshmallow-1343',
    133,
    "NameError: name 'validates_schema' is no",
    'yes',
    'imports the missing name',
  ],
  [
    'marshmallow-code__marshmallow-1359',
    57,
    "ModuleNotFoundError: No module named 'ma",
    'yes',
    'looks for the package on another path',
  ],
  [
    'pvlib__pvlib-python-1154',
    21,
    "ModuleNotFoundError: No module named 'nu",
    'yes',
    'installs numpy',
  ],
  [
    'pvlib__pvlib-python-1606',
    208,
    "SyntaxError: unmatched ')'",
    'yes',
    'searches the function for the extra bracket',
  ],
  [
    'pvlib__pvlib-python-1707',
    20,
    "ModuleNotFoundError: No module named 'nu",
    'yes',
    'installs numpy',
  ],
  [
    'pvlib__pvlib-python-1854',
    104,
    'IndentationError: expected an indented b',
    'yes',
    'fixes the line with the wrong indentation',
  ],
  [
    'pydicom__pydicom-1139',
    86,
    '/opt/miniconda3/bin/python: No module na',
    'yes',
    'runs the tests with unittest',
  ],
  [
    'pydicom__pydicom-1413',
    231,
    '/opt/miniconda3/bin/python: No module na',
    'yes',
    'installs pytest',
  ],
  [
    'pydicom__pydicom-1694',
    116,
    '============================ no tests ra',
    'yes',
    'looks up the name of the class',
  ],
  [
    'pylint-dev__astroid-1196',
    119,
    'IndentationError: unindent does not matc',
    'yes',
    'fixes the line with the wrong indentation',
  ],
  [
    'pylint-dev__astroid-1268',
    30,
    "ImportError: cannot import name 'formata",
    'yes',
    'looks for the version and works around it',
  ],
  [
    'pylint-dev__astroid-1268',
    266,
    "E   ImportError: cannot import name 'for",
    'no',
    'says that the error is unrelated to the fix and continues',
  ],
  [
    'pylint-dev__astroid-1333',
    23,
    "ImportError: cannot import name 'formata",
    'no',
    'abandons the import and continues reading',
  ],
  [
    'pylint-dev__astroid-1866',
    34,
    "ModuleNotFoundError: No module named 'wr",
    'yes',
    'installs the package with its dependencies',
  ],
  [
    'pylint-dev__astroid-1866',
    157,
    "NameError: name 'insert_line' is not def",
    'yes',
    'fixes its script',
  ],
  [
    'pyvista__pyvista-4315',
    36,
    "ImportError: cannot import name 'vtkComp",
    'yes',
    'tests without the import that fails',
  ],
  [
    'sqlfluff__sqlfluff-1517',
    93,
    'TypeError: StringLexer.__init__() missin',
    'yes',
    'drops the script and debugs another way',
  ],
  [
    'sqlfluff__sqlfluff-1733',
    12,
    '/opt/miniconda3/bin/python: No module na',
    'yes',
    'installs the missing package',
  ],
  [
    'sqlfluff__sqlfluff-2419',
    41,
    "KeyError: 'rule'",
    'yes',
    'prints the keys and fixes the script',
  ],
];

export const READ_RECOVERIES: readonly ReadRecovery[] = [
  ...DEV.map(readRow('deepseek_chat_dev')),
  ...RERUN.map(readRow('deepseek_chat_dev_rerun')),
];

function readRow(recording: string): (row: Row) => ReadRecovery {
  return ([instance, step, sign, verdict, because]) => ({
    recording,
    instance,
    step,
    sign,
    isRecovery: verdict === 'yes',
    because,
  });
}
