/**
 * Keeps listing and watching, whatever happens.
 */
@NullMarked
package dev.informer.reflector;

import org.jspecify.annotations.NullMarked;
