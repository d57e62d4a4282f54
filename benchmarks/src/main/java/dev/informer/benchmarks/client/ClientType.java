/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.function.BiFunction;

/**
 * Clients that are compared.
 */
public enum ClientType {

	/** Tokenizer without objects: the lower bound of every client. */
	FLOOR("json", TokenizerFloor::new),

	/** This project's informers. */
	INFORMER("protobuf", InformerClient::new),

	/** This project's informers, configured for JSON. */
	INFORMER_JSON("json", InformerClient::new),

	/** The official client's informers. */
	CLIENT_JAVA("json", OfficialClient::new),

	/** The informers of fabric8's client. */
	FABRIC8("json", Fabric8Client::new);

	private final String encoding;

	private final BiFunction<ClientSettings, Tally, BenchmarkClient> factory;

	ClientType(String encoding, BiFunction<ClientSettings, Tally, BenchmarkClient> factory) {
		this.encoding = encoding;
		this.factory = factory;
	}

	/**
	 * Return the encoding in which the client has to receive its objects.
	 * @return {@code json} or {@code protobuf}
	 */
	public String encoding() {
		return this.encoding;
	}

	/**
	 * Create a client.
	 * @param settings its settings
	 * @param tally the tally of the events of its handler
	 * @return the client, not yet started
	 */
	public BenchmarkClient create(ClientSettings settings, Tally tally) {
		return this.factory.apply(settings, tally);
	}

}
