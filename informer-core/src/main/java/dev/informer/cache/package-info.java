/**
 * The local copy of a resource.
 */
@NullMarked
package dev.informer.cache;

import org.jspecify.annotations.NullMarked;
