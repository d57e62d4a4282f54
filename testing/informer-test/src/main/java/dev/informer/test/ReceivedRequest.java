/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Map;

/**
 * Request received by an embedded server.
 *
 * @param verb the verb
 * @param method the HTTP method
 * @param path the decoded path
 * @param query the decoded query parameters, the first value of each
 * @param headers the headers, with lower-case names
 * @param resource the resource, for instance {@code pods} or {@code deployments.apps};
 * empty if the path has none
 * @param namespace the namespace in the path, empty if the path has none
 * @param name the name of the object in the path, empty if the path has none
 * @param subresource the subresource in the path, empty if the path has none
 */
public record ReceivedRequest(Verb verb, String method, String path, Map<String, String> query,
		Map<String, String> headers, String resource, String namespace, String name, String subresource) {
}
