import { Application, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import ts from 'typescript';
import { compilerOptions } from './compiler-options.ts';
import { type EntryPoint, root } from './entry-points.ts';

/**
 * Writes the reference of the entry points into a folder: one Markdown page each, named as in an import.
 *
 * @returns what is wrong with it, a sentence each: names without words, links that lead nowhere, types
 * that are used and not exported. Empty when it is complete.
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
      notExported: true,
      invalidLink: true,
      invalidPath: true,
      rewrittenLink: true,
      unusedMergeModuleWith: true,
    },
  };
  const application = await Application.bootstrapWithPlugins(options);
  const problems: string[] = [];
  const collect = (message: string): void => {
    problems.push(message);
  };
  application.logger.validationWarning = collect;
  application.logger.warn = collect as typeof application.logger.warn;
  application.logger.error = collect as typeof application.logger.error;

  const program = ts.createProgram(
    entryPoints.map(({ declarations }) => declarations),
    ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
  );
  // A name is described where it comes from; the facade, which comes last, points there.
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

function isFacade({ name }: EntryPoint): boolean {
  return packageOf(name) === '@knowledgepulse/sdk';
}

function packageOf(name: string): string {
  return name.split('/').slice(0, 2).join('/');
}
