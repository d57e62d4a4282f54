/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ProtobufEncoder;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.PageReader;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.StoredObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Representation and encoding of a list or a watch.
 *
 * @param representation the representation of the objects
 * @param protobuf whether they are encoded as protobuf; otherwise as JSON
 */
record MediaType(Representation representation, boolean protobuf) {

	static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	/** Field of a wire type that does not exist. */
	private static final byte[] UNREADABLE = { 2 << 3 | 7 };

	/**
	 * Select the media type of a list.
	 * @throws KubernetesStatusException with 406 if none is acceptable
	 */
	static MediaType ofList(String accept, ResourceDefinition served, boolean jsonOnly) {
		MediaType chosen = negotiate(accept, served, jsonOnly);
		return new MediaType(chosen.representation.ofItems(served), chosen.protobuf);
	}

	/**
	 * Select the media type for an {@code Accept} header: its first supported one. The
	 * representation is not validated here: the real server ends a watch of lists at its
	 * first event.
	 */
	static MediaType negotiate(String accept, ResourceDefinition served, boolean jsonOnly) {
		if (accept.isBlank()) {
			return new MediaType(Representation.WHOLE, false);
		}
		for (String range : accept.split(",")) {
			String type = range.replace(" ", "");
			boolean protobuf = type.startsWith(PROTOBUF);
			boolean json = type.startsWith("application/json") || type.startsWith("*/*")
					|| type.startsWith("application/*");
			Representation representation = representation(type);
			if (representation != null
					&& (json || (protobuf && !jsonOnly && isEncodable(representation.type(served))))) {
				return new MediaType(representation, protobuf);
			}
		}
		throw StatusErrors.notAcceptable("406: Not Acceptable\n\nAvailable representations: application/json");
	}

	private static @Nullable Representation representation(String type) {
		if (type.contains("as=PartialObjectMetadata")) {
			return type.contains("as=PartialObjectMetadataList") ? Representation.METADATA_OF_LISTS
					: Representation.METADATA;
		}
		return type.contains("as=") ? null : Representation.WHOLE;
	}

	private static boolean isEncodable(ResourceDefinition type) {
		return ProtobufEncoder.get().encodes(type.apiVersion(), type.kind());
	}

	/**
	 * Return whether failures are encoded as protobuf.
	 */
	static boolean isProtobufFirst(String accept) {
		return accept.startsWith(PROTOBUF) && ProtobufEncoder.get().encodes("v1", "Status");
	}

	/**
	 * Return the content type of a watch.
	 */
	String streamType() {
		return this.protobuf ? PROTOBUF + ";stream=watch" : ApiResponse.JSON;
	}

	/**
	 * Send a list.
	 */
	void sendList(PageReader.Page page, ResourceDefinition served, ApiResponse response) throws IOException {
		if (this.protobuf) {
			response.stream(200, PROTOBUF).write(list(page, served));
		}
		else {
			new ListWriter(served, this.representation).write(page, response.stream(200, ApiResponse.JSON));
		}
	}

	private byte[] list(PageReader.Page page, ResourceDefinition served) throws IOException {
		ByteArrayOutputStream list = new ByteArrayOutputStream();
		list.writeBytes(
				ProtobufEncoder.bytes(1, ProtobufEncoder.get().message("v1", "ListMeta", ListWriter.metadata(page))));
		for (StoredObject object : page.objects()) {
			list.writeBytes(ProtobufEncoder.bytes(2, message(this.representation.tree(object, served))));
		}
		ResourceDefinition type = this.representation.type(served);
		return ProtobufEncoder.envelope(type.apiVersion(), type.kind() + "List", list.toByteArray());
	}

	/**
	 * Write a watch event.
	 */
	void writeEvent(String type, StoredObject object, ResourceDefinition served, OutputStream out) throws IOException {
		if (this.protobuf) {
			writeFrame(type, this.representation.tree(object, served), out);
		}
		else {
			this.representation.writeEvent(type, object, served, out);
		}
	}

	/**
	 * Write a watch event whose object is not a stored one.
	 */
	void writeEvent(String type, ObjectNode object, OutputStream out) throws IOException {
		if (this.protobuf) {
			writeFrame(type, object, out);
		}
		else {
			Representation.writeEvent(type, object, out);
		}
	}

	/**
	 * Write text between two events. An event is encoded; other text is written as it is.
	 */
	void writeText(byte[] text, OutputStream out) throws IOException {
		if (this.protobuf) {
			try {
				JsonNode event = Json.MAPPER.readTree(text);
				if (event.get("object") instanceof ObjectNode object) {
					writeFrame(Json.text(event, "type"), object, out);
					return;
				}
			}
			catch (JacksonException ex) {
				// not an event
			}
		}
		out.write(text);
	}

	private static void writeFrame(String type, ObjectNode object, OutputStream out) throws IOException {
		ByteArrayOutputStream event = new ByteArrayOutputStream();
		event.writeBytes(ProtobufEncoder.bytes(1, type.getBytes(StandardCharsets.UTF_8)));
		event.writeBytes(ProtobufEncoder.bytes(2, ProtobufEncoder.bytes(1, envelope(object))));
		ByteArrayOutputStream frame = new ByteArrayOutputStream();
		frame.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(event.size()).array());
		frame.writeBytes(event.toByteArray());
		out.write(frame.toByteArray());
	}

	/**
	 * Return a single object or a {@code Status} in its envelope.
	 */
	static byte[] envelope(ObjectNode object) {
		return ProtobufEncoder.envelope(Json.text(object, "apiVersion"), Json.text(object, "kind"), message(object));
	}

	/**
	 * Encode an object. One that does not fit its kind, which the real server would have
	 * rejected, has its metadata only and is unreadable.
	 */
	private static byte[] message(ObjectNode object) {
		String apiVersion = Json.text(object, "apiVersion");
		String kind = Json.text(object, "kind");
		try {
			return ProtobufEncoder.get().message(apiVersion, kind, object);
		}
		catch (RuntimeException ex) {
			ByteArrayOutputStream unreadable = new ByteArrayOutputStream();
			ObjectNode metadata = Json.object();
			metadata.set("metadata", object.path("metadata"));
			unreadable.writeBytes(ProtobufEncoder.get().message("meta.k8s.io/v1", "PartialObjectMetadata", metadata));
			unreadable.writeBytes(UNREADABLE);
			return unreadable.toByteArray();
		}
	}

}
