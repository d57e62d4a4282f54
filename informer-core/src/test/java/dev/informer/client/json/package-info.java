@NullMarked
package dev.informer.client.json;

import org.jspecify.annotations.NullMarked;
