import { useRouter } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/**
 * Repairs what the default theme leaves to be desired for assistive technology, after each change of
 * the page: the first page has no main landmark, and in the sidebar a button contains another.
 */
export function useRepairedMarkup(): void {
  const router = useRouter();
  const repair = async (): Promise<void> => {
    await nextTick();
    const content = document.getElementById('VPContent');
    if (content?.querySelector('main') === null) content.setAttribute('role', 'main');
    else content?.removeAttribute('role');
    for (const caret of document.querySelectorAll('.item[role=button] > .caret')) {
      caret.removeAttribute('role');
      caret.removeAttribute('tabindex');
      caret.setAttribute('aria-hidden', 'true');
    }
  };
  onMounted(() => watch(() => router.route.data, repair, { immediate: true, flush: 'post' }));
}
