/**
 * What the newcomer's walk does without the starter, as it was run.
 */
@NullMarked
package com.example.docs.byhand;

import org.jspecify.annotations.NullMarked;
