/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Map;

/**
 * A request that the server has received.
 *
 * @param verb what it asks for
 * @param method the HTTP method
 * @param path the decoded path
 * @param query the decoded query parameters, the first value of each
 * @param headers the headers, their names in lower case
 * @param resource the resource, for instance {@code pods} or {@code deployments.apps};
 * empty when the request is not about one
 * @param namespace the namespace in the path, empty when there is none
 * @param name the object's name in the path, empty when there is none
 * @param subresource the subresource in the path, empty when there is none
 */
public record ReceivedRequest(Verb verb, String method, String path, Map<String, String> query,
		Map<String, String> headers, String resource, String namespace, String name, String subresource) {
}
