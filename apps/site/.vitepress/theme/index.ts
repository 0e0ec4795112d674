/// <reference types="vitepress/client" />

import { type Theme, useData, useRouter, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, onMounted, watch } from 'vue';
import { LANGUAGES, TEXTS } from '../../src/texts/index.ts';
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
    const texts = Object.values(TEXTS).find((each) => each.lang === lang.value);
    if (english === undefined || texts === undefined) return undefined;
    const link = h('a', { href: withBase(english) }, texts.toEnglish);
    return h('p', { class: 'kp-stale', role: 'note' }, [texts.stale, ' ', link]);
  };
});

const Layout = defineComponent(() => {
  const { page, site } = useData();
  const router = useRouter();
  // The language menu links to an address that does not exist for pages in English only.
  const leaveMissingTranslation = (): void => {
    if (!page.value.isNotFound) return;
    const [language, ...rest] = router.route.path.slice(site.value.base.length).split('/');
    if (LANGUAGES.some((each) => each === language)) router.go(withBase(`/${rest.join('/')}`));
  };
  onMounted(() => watch(() => page.value, leaveMissingTranslation, { immediate: true }));
  return () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(StaleTranslation),
      'home-features-before': () => h(StaleTranslation),
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
