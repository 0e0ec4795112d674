await import('@knowledgepulse/sdk');

export {};
