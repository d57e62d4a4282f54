/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.PageReader;
import dev.informer.test.store.StoredObject;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writer for lists, item by item. Lists of built-in resources have the order of Go's
 * structs, lists of custom resources have sorted keys.
 */
final class ListWriter {

	private final ResourceDefinition served;

	private final Representation representation;

	ListWriter(ResourceDefinition served, Representation representation) {
		this.served = served;
		this.representation = representation;
	}

	void write(PageReader.Page page, OutputStream out) throws IOException {
		ResourceDefinition type = this.representation.type(this.served);
		String kind = type.kind() + "List";
		if (type.builtIn()) {
			print(out, "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":"
					+ metadata(page) + ",\"items\":");
			if (page.objects().isEmpty() && this.representation == Representation.METADATA) {
				print(out, "null");
			}
			else {
				writeItems(page.objects(), out);
			}
			print(out, "}\n");
		}
		else {
			print(out, "{\"apiVersion\":\"" + type.apiVersion() + "\",\"items\":");
			writeItems(page.objects(), out);
			print(out, ",\"kind\":\"" + kind + "\",\"metadata\":" + sortedMetadata(page) + "}\n");
		}
	}

	private void writeItems(List<StoredObject> objects, OutputStream out) throws IOException {
		out.write('[');
		boolean first = true;
		for (StoredObject object : objects) {
			if (!first) {
				out.write(',');
			}
			first = false;
			this.representation.writeItem(object, this.served, out);
		}
		out.write(']');
	}

	static ObjectNode metadata(PageReader.Page page) {
		ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.resourceVersion()));
		if (!page.continueToken().isEmpty()) {
			metadata.put("continue", page.continueToken());
		}
		if (page.remaining() != null) {
			metadata.put("remainingItemCount", page.remaining());
		}
		return metadata;
	}

	private static ObjectNode sortedMetadata(PageReader.Page page) {
		ObjectNode metadata = Json.object().put("continue", page.continueToken());
		if (page.remaining() != null) {
			metadata.put("remainingItemCount", page.remaining());
		}
		return metadata.put("resourceVersion", Long.toString(page.resourceVersion()));
	}

	private static void print(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.UTF_8));
	}

}
