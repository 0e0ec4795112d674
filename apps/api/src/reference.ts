import {
  Application,
  type Context,
  Converter,
  ParameterReflection,
  ReferenceType,
  type Reflection,
  ReflectionKind,
  type TypeDocOptions,
} from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import ts from 'typescript';
import { compilerOptions } from './compiler-options.ts';
import { type EntryPoint, root } from './entry-points.ts';

/**
 * Writes the API reference into a folder: one Markdown page per entry point, named after its specifier.
 *
 * @returns the problems, one sentence each: undocumented names and broken links. Types that are used but
 *   not exported are listed in the API reports.
 */
export async function writeReference(
  entryPoints: readonly EntryPoint[],
  folder: string,
): Promise<readonly string[]> {
  const options: Partial<TypeDocOptions & PluginOptions> = {
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: folder }],
    router: 'module',
    readme: 'none',
    logLevel: 'None',
    disableSources: true,
    excludeExternals: true,
    groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
    hideGenerator: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
    enumMembersFormat: 'table',
    useCodeBlocks: true,
    expandObjects: false,
    packagesRequiringDocumentation: [...new Set(entryPoints.map(({ name }) => packageOf(name)))],
    requiredToBeDocumented: [
      'Variable',
      'Function',
      'Class',
      'Interface',
      'TypeAlias',
      'Property',
      'Method',
      'Accessor',
      'Parameter',
    ],
    validation: {
      notDocumented: true,
      notExported: false,
      invalidLink: true,
      invalidPath: true,
      rewrittenLink: true,
      unusedMergeModuleWith: true,
    },
  };
  const application = await Application.bootstrapWithPlugins(options);
  const problems: string[] = [];
  const collect = (message: string): void => {
    if (!isSaidElsewhere(message)) problems.push(message);
  };
  Object.assign(application.logger, { validationWarning: collect, warn: collect, error: collect });
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, leaveOutMakingOfErrors);
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, nameTraces);

  const program = ts.createProgram(
    entryPoints.map(({ declarations }) => declarations),
    ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
  );
  // A name is documented in its own package; the facade comes last and links there.
  const facadeLast = [...entryPoints].sort((a, b) => Number(isFacade(a)) - Number(isFacade(b)));
  const project = application.converter.convert(
    facadeLast.map(({ name, declarations }) => {
      const sourceFile = program.getSourceFile(declarations);
      if (sourceFile === undefined) {
        throw new TypeError(`${declarations}: expected declarations, received none`);
      }
      return { displayName: name, program, sourceFile };
    }),
  );
  application.validate(project);
  await application.generateOutputs(project);
  return problems;
}

/**
 * Whether a name is documented elsewhere: an `options` parameter in its type, the parameters of a callback
 * with the callback, and the fields of a zod type in its schema.
 */
function isSaidElsewhere(problem: string): boolean {
  return /\.options \(Parameter\)|\.(__type|__object)[. ]/.test(problem);
}

/** Hides the constructors of errors: other code catches our errors but does not create them. */
function leaveOutMakingOfErrors({ project }: Context): void {
  for (const making of project.getReflectionsByKind(ReflectionKind.Constructor)) {
    if (making.parent?.name.endsWith('Error')) project.removeReflection(making);
  }
}

/** Restores the name of the trace type, which zod's inference loses; otherwise each use lists all fields. */
function nameTraces({ project }: Context): void {
  const [trace] = project.getReflectionsByKind(ReflectionKind.TypeAlias).filter(isTraceAlias);
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (!(parameter instanceof ParameterReflection) || trace === undefined) continue;
    const { type } = parameter;
    if (type?.type !== 'reflection' || type.declaration.getChildByName('@type') === undefined)
      continue;
    parameter.type = ReferenceType.createResolvedReference(trace.name, trace, project);
    project.removeReflection(type.declaration);
  }
}

function isTraceAlias({ name, parent }: Reflection): boolean {
  return name === 'ReasoningTrace' && parent?.name === '@kp/schema';
}

function isFacade({ name }: EntryPoint): boolean {
  return packageOf(name) === '@knowledgepulse/sdk';
}

function packageOf(name: string): string {
  return name.split('/').slice(0, 2).join('/');
}
