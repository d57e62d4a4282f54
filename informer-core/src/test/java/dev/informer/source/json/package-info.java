@NullMarked
package dev.informer.source.json;

import org.jspecify.annotations.NullMarked;
