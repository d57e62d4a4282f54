/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.util.Locale;

import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.ApiServerClient.Answer;

/**
 * Object that the workload creates, changes and deletes.
 *
 * @param resource its resource
 * @param namespace its namespace
 * @param name its name
 * @param size the approximate size of its data in bytes
 */
record TestObject(WatchedResource resource, String namespace, String name, int size) {

	/**
	 * Create the object if it does not exist.
	 */
	void create(ApiServerClient api) throws IOException, InterruptedException {
		String content = switch (this.resource) {
			case CONFIG_MAPS -> "\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", " + data(0);
			case PODS -> "\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"spec\": {\"containers\": "
					+ "[{\"name\": \"main\", \"image\": \"example/web:1\"}]}";
			case SECRETS -> "\"apiVersion\": \"v1\", \"kind\": \"Secret\"";
			case WIDGETS -> "\"apiVersion\": \"fault.informer.dev/v1\", \"kind\": \"Widget\", " + data(0);
			case GADGETS -> "\"apiVersion\": \"fault.informer.dev/v1\", \"kind\": \"Gadget\", " + data(0);
		};
		Answer answer = api.post(this.resource.path(this.namespace),
				"{\"metadata\": {\"name\": \"%s\"}, %s}".formatted(this.name, content));
		if (answer.status() != 409) {
			answer.expectSuccess();
		}
	}

	/**
	 * Change the object.
	 */
	Answer change(ApiServerClient api, long round) throws IOException, InterruptedException {
		String change = switch (this.resource) {
			case CONFIG_MAPS, WIDGETS, GADGETS -> ", " + data(round);
			case PODS, SECRETS -> "";
		};
		return api.patch(path(), "{\"metadata\": {\"labels\": {\"round\": \"%d\"}}%s}".formatted(round, change));
	}

	void delete(ApiServerClient api) throws IOException, InterruptedException {
		Answer answer = (this.resource == WatchedResource.GADGETS) ? api.deleteUnchanged(path()) : api.delete(path());
		if (answer.status() != 404) {
			answer.expectSuccess();
		}
	}

	String path() {
		return this.resource.path(this.namespace) + "/" + this.name;
	}

	private String data(long round) {
		String line = String.format(Locale.ROOT, "%019d ", round);
		return "\"data\": {\"content\": \"" + line.repeat(Math.max(1, this.size / line.length())) + "\"}";
	}

}
