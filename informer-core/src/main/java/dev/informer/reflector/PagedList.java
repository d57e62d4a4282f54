/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.AttemptOutcome.Listed;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * List by pages. When a continuation page fails, {@link #read} can be called again and
 * resumes with the same token. Confined to the thread of its reflector.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks">Retrieving
 * large results sets in chunks</a>
 */
final class PagedList<T extends KubernetesObject> implements ListSink<T> {

	/** Number of pages from which a list is reported, each time it has doubled. */
	private static final int REPORTED_PAGES = 1024;

	/**
	 * The request of the first page, whose selector is that of all: a token belongs to
	 * it.
	 */
	private final ListRequest first;

	private final int pageSize;

	private final PageSource<T> source;

	private final ObjectLookup<T> cached;

	private final ReflectorStatus status;

	private final List<T> objects = new ArrayList<>();

	private final List<UndecodableObject> undecodable = new ArrayList<>();

	private PageProgress progress;

	/** Number of objects of the pages that are complete. */
	private int completeObjects;

	private int completeUndecodable;

	private int pages;

	private boolean reused;

	/** Whether the list began again because a token had expired. */
	private boolean restarted;

	/** The version of the first page, which is that of the list. */
	private @Nullable String resourceVersion;

	private @Nullable String continueToken;

	/**
	 * Create a list, of which no page was read.
	 * @param cached finds the objects that need not be decoded
	 */
	PagedList(ListRequest first, int pageSize, PageSource<T> source, ObjectLookup<T> cached, ReflectorStatus status) {
		this.first = first;
		this.pageSize = pageSize;
		this.source = source;
		this.cached = cached;
		this.status = status;
		this.progress = newProgress();
	}

	/**
	 * Read the pages that are missing.
	 */
	void read(Cancellation cancellation) throws IOException {
		if (this.resourceVersion == null) {
			readFirst(this.first, cancellation);
		}
		while (this.continueToken != null) {
			try {
				// The token determines the version: a continuation must not name one.
				this.continueToken = read(request(null, this.pageSize, this.continueToken), cancellation)
					.continueToken();
			}
			catch (ServerStatusException ex) {
				if (!ex.status().isExpired() || this.restarted) {
					throw ex;
				}
				// etcd compacted the version of the first page while the list was being
				// read. Later pages would belong to a newer version: start again, at once
				// and in one piece, as client-go's pager does. A server that pages
				// nevertheless and lets its tokens expire would get list after list.
				this.restarted = true;
				this.resourceVersion = null;
				this.continueToken = null;
				this.completeObjects = 0;
				this.completeUndecodable = 0;
				readFirst(request(this.first.resourceVersion(), 0, null), cancellation);
			}
		}
	}

	private ListRequest request(@Nullable String version, int limit, @Nullable String token) {
		return new ListRequest(version, limit, token).of(this.first.selector());
	}

	private PageProgress newProgress() {
		return new PageProgress(this.pageSize);
	}

	private void readFirst(ListRequest request, Cancellation cancellation) throws IOException {
		this.progress = newProgress();
		this.pages = 0;
		ListPage page = read(request, cancellation);
		this.resourceVersion = page.resourceVersion();
		this.continueToken = page.continueToken();
	}

	private ListPage read(ListRequest request, Cancellation cancellation) throws IOException {
		// Items of a page that broke off are read again.
		this.objects.subList(this.completeObjects, this.objects.size()).clear();
		this.undecodable.subList(this.completeUndecodable, this.undecodable.size()).clear();
		ListPage page = this.source.list(request, this, cancellation);
		this.progress.pageRead(page, this.objects.size() + this.undecodable.size());
		this.completeObjects = this.objects.size();
		this.completeUndecodable = this.undecodable.size();
		this.pages++;
		reportPage();
		return page;
	}

	/**
	 * Report a page. No number of objects is one that no genuine server has, so a list
	 * without an end fills the heap, but not silently.
	 */
	private void reportPage() {
		this.status.active();
		if (this.pages >= REPORTED_PAGES && Integer.bitCount(this.pages) == 1) {
			this.status.listGrows(this.pages, this.completeObjects + this.completeUndecodable);
		}
	}

	@Override
	public @Nullable Found<T> find(ObjectState state) {
		Found<T> found = this.cached.find(state);
		this.reused |= found != null;
		return found;
	}

	@Override
	public boolean shares() {
		return this.cached.shares();
	}

	@Override
	public @Nullable T earlier(ObjectState state) {
		return this.cached.earlier(state);
	}

	@Override
	public @Nullable Meter<T> meter() {
		return this.cached.meter();
	}

	@Override
	public void accept(T object) {
		// A flag that the user's adapter left would end the next read.
		Thread.interrupted();
		if (this.progress.isBeforeFirstItem()) {
			this.progress.item(ObjectState.of(object));
		}
		this.objects.add(object);
	}

	@Override
	public void acceptUndecodable(UndecodableObject object) {
		Thread.interrupted();
		this.progress.item(object.state());
		this.undecodable.add(object);
	}

	/**
	 * Return whether the first page broke off after some of its items.
	 */
	boolean isCutOff() {
		return this.resourceVersion == null && (!this.objects.isEmpty() || !this.undecodable.isEmpty());
	}

	/**
	 * Return whether the server refused a continuation page for a temporary reason, so
	 * that {@link #read} can resume with the same token. After a broken connection
	 * another server may answer, and the token would select its objects at a version that
	 * means something else there.
	 */
	boolean isResumable(IOException failure) {
		return this.continueToken != null && failure instanceof ServerStatusException refusal
				&& refusal.status().isOverloaded() && !refusal.status().isOfGateway();
	}

	/**
	 * Return whether no page is complete.
	 */
	boolean isOnFirstPage() {
		return this.resourceVersion == null;
	}

	/**
	 * Return whether the list has objects that were not decoded.
	 */
	boolean hasReused() {
		return this.reused;
	}

	/**
	 * Return the complete list.
	 */
	Listed<T> listed() {
		return new Listed<>(this.objects, this.undecodable, Set.of(), Objects.requireNonNull(this.resourceVersion),
				null, Duration.ZERO);
	}

	/**
	 * Reads a page; one without a token is the first.
	 */
	interface PageSource<T> {

		ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException;

	}

}
