# Writes FOLDER/docs/NAME.html beside each page: batch.rb kramdown|gfm|asciidoctor FOLDER
kind, folder = ARGV
Encoding.default_external = Encoding::UTF_8
require kind == 'asciidoctor' ? 'asciidoctor' : 'kramdown'
require 'kramdown-parser-gfm' if kind == 'gfm'
$stderr.reopen(File::NULL)

Dir.glob(File.join(folder, 'docs', 'page*.{md,adoc}')).each do |page|
  begin
    html =
      case kind
      when 'asciidoctor' then Asciidoctor.convert_file(page, safe: :unsafe, to_file: false, header_footer: true, attributes: { 'linkcss' => '' })
      when 'gfm' then Kramdown::Document.new(File.read(page), input: 'GFM').to_html
      else Kramdown::Document.new(File.read(page)).to_html
      end
  rescue StandardError => error
    html = "<!-- failed: #{error.class} -->"
  end
  File.write(page.sub(/\.\w+$/, '.html'), html)
end
