/**
 * The informers and handlers of an application, and their lifecycle.
 */
@NullMarked
package dev.informer.spring.registry;

import org.jspecify.annotations.NullMarked;
