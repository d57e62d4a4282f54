/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.List;
import java.util.Set;

import dev.informer.client.UndecodableObject;

/**
 * The whole state of a resource at one version, as far as it can be read.
 *
 * @param <T> the type of the objects
 * @param objects the objects
 * @param undecodable the objects that are there but could not be decoded
 * @param deleted the keys of which a streaming list says that they are gone: also when
 * one of the undecodable objects has no name, so that of what is merely missing nothing
 * is known
 * @param resourceVersion the version of the state
 * @param history which of the server's histories it belongs to: within one, an object
 * with an equal UID and version is equal
 */
public record Listing<T>(List<T> objects, List<UndecodableObject> undecodable, Set<String> deleted,
		String resourceVersion, long history) {
}
