/// <reference types="vitepress/client" />

import { type Theme, useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h } from 'vue';
import { HeroExample } from './hero-example.ts';
import { NotFound, Notice, UntranslatedNotice } from './missing-pages.ts';
import { useRepairedMarkup } from './repair-markup.ts';
import { useRepairedSearch } from './repair-search.ts';
import { textsOf } from './texts-of.ts';
import './style.css';

/** Whether the static folder of the playground is part of this build. */
declare const PLAYGROUND_IS_BUILT: boolean;

const Playground = (): ReturnType<typeof h> | undefined =>
  PLAYGROUND_IS_BUILT
    ? h('iframe', {
        class: 'kp-playground',
        src: withBase('/playground/index.html?embed=1#example=code'),
        title: 'Playground',
        loading: 'lazy',
      })
    : undefined;

/** A notice above an outdated translation. The build determines which ones are outdated. */
const StaleTranslation = defineComponent(() => {
  const { frontmatter, lang } = useData();
  return () => {
    const { english } = frontmatter.value;
    if (english === undefined) return undefined;
    const { stale, toEnglish } = textsOf(lang.value);
    const link = h('a', { href: withBase(english) }, toEnglish);
    return h(Notice, () => [stale, ' ', link]);
  };
});

const Layout = defineComponent(() => {
  useRepairedMarkup();
  useRepairedSearch();
  return () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => [h(UntranslatedNotice), h(StaleTranslation)],
      'home-features-before': () => h(StaleTranslation),
      'home-hero-image': () => h(HeroExample),
      'not-found': () => h(NotFound),
    });
});

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    app.component('Playground', Playground);
  },
};

export default theme;
